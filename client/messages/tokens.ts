/** What each scope allows, in the order of the form. */
const scopes = {
  stats_read: 'Read stats and places',
  games_read: 'Read finished games',
  games_write: 'Play games',
  account_read: 'Read name and email',
};

/** The messages about personal tokens, in their own file because they load with the account dialog. */
export const messages = {
  title: 'Personal tokens',
  text: 'With a token, your own program can play for you and read your stats. Everybody sees that a program has played.',
  loading: 'Loading personal tokens',
  none: 'You have no personal tokens.',
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
  days: (days: number | null): string => (days === null ? 'Never' : `In ${days} days`),
  create: 'Create token',
  cancel: 'Cancel',
  created: 'Copy your new token now. You will not see it again.',
  copy: 'Copy',
  copied: 'Copied.',
  notCopied: 'Your browser did not copy the token. Select it and copy it yourself.',
  close: 'Done',
  noScope: 'Choose what the program may do.',
  tooMany: 'You have 20 tokens. Revoke one before you make another.',
  done: (name: string): string => `${name} has been revoked.`,
  failed: {
    load: 'Your personal tokens could not be loaded.',
    create: 'The token could not be created.',
    revoke: 'The token could not be revoked.',
  },
};
