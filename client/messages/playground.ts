import { counted } from './counted.js';

/** What each scope allows, in the order of the form. */
const scopes = {
  stats_read: 'Read stats and places',
  games_read: 'Read finished games',
  games_write: 'Play games',
  account_read: 'Read name and email',
};

export const tokens = {
  title: 'Personal tokens',
  text: 'With a token, your own program plays for you. Everybody sees that a program has played.',
  loading: 'Loading personal tokens',
  none: 'No tokens yet.',
  scopes,
  used: 'Last used',
  neverUsed: 'Never used',
  ends: (date: string): string => `Ends on ${date}`,
  endless: 'No end',
  revoke: 'Revoke',
  revokeToken: (name: string): string => `Revoke ${name}`,
  new: 'New token',
  name: 'Name',
  may: 'The program may',
  end: 'Ends',
  days: (days: number | null): string => (days === null ? 'Never' : `In ${counted(days, 'day')}`),
  create: 'Create token',
  cancel: 'Cancel',
  created: "Copy your token now. You won't see it again.",
  copy: 'Copy',
  copied: 'Copied.',
  notCopied: 'Select the token and copy it.',
  close: 'Done',
  noScope: 'Choose what the program may do.',
  tooMany: 'You have 20 tokens. Revoke one first.',
  done: (name: string): string => `${name} is revoked.`,
  failed: {
    load: 'Your tokens could not be loaded.',
    create: 'The token could not be created.',
    revoke: 'The token could not be revoked.',
  },
};
