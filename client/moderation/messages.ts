import { formatNumber } from '../ui/formatNumber.js';

const day = (at: string) => new Date(at).toLocaleDateString('en', { dateStyle: 'medium' });
const percent = (share: number) => `${Math.round(share * 100)} %`;

/** The messages of the moderation, which is a separate page. */
export const messages = {
  title: 'Moderation',
  documentTitle: (shown: string): string => `${shown} · Moderation · Tic-Tac-Toe`,
  toGame: 'To the game',
  signedInAs: (name: string): string => `Signed in as ${name}`,
  checking: 'Checking authentication...',
  signedOut: 'Sign in to moderate.',
  signedOutText: 'This page is for moderators. After the sign-in you are back here.',
  signIn: 'Sign in',
  retry: 'Try again',
  failed: 'This could not be loaded. Please check your connection.',
  loading: 'Loading',
  copy: 'Copy',
  copied: 'Copied.',
  notCopied: 'Nothing was copied. Select the text and copy it.',

  noModerator: 'You are not a moderator.',
  noModeratorText:
    'Ask the operator of this server to add your player id to the setting MODERATORS and to restart it:',

  lists: { all: 'Players', hidden: 'Hidden', banned: 'Banned', suspects: 'Suspects', audit: 'Decisions' },
  search: 'Name, email or id',
  find: 'Search',
  sort: 'Order',
  sorts: { name: 'Name', score: 'Score', rate: 'Win rate', date: 'Newest' },
  more: 'More',
} as const;
export { day, percent, formatNumber };
