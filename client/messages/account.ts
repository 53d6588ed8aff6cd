import type { Difficulty } from '../../game/bot.js';
import { messages as pageMessages, providerName } from './game.js';

/** The messages of the account, in their own file because they load with its dialog. */
export const messages = {
  title: 'Account',
  signedInWith: (provider: string): string => `Signed in with ${providerName(provider)}`,
  needsSignIn:
    'To protect your account, this needs a sign-in from the last ten minutes. After you sign in, you can confirm it here.',
  signInAgain: (provider: string): string => `Sign in again with ${providerName(provider)}`,
  tabs: { profile: 'Profile', 'sign-in': 'Sign-in', tokens: 'Tokens', data: 'Data' },
  feedback: { sound: 'Sound', both: 'Sound and vibration' },
  switches: { sound: 'Play sounds', vibration: 'Vibrate' },
  browsers: 'Signed-in browsers',
  loading: 'Loading signed-in browsers',
  thisBrowser: 'This browser',
  signedIn: 'Signed in',
  lastSeen: 'Last seen',
  inUse: 'In use now',
  signOut: 'Sign out',
  signOutOf: (browser: string): string => `Sign out ${browser}`,
  signOutOthers: 'Sign out all other browsers',
  signOutEverywhere: 'Sign out everywhere',
  install: 'Install Tic-Tac-Toe',
  installText: 'It opens in its own window, even without a network.',
  data: 'Your data',
  download: 'Download my data',
  delete: 'Delete account',
  deleteTitle: 'Delete your account?',
  deleteText:
    'Your profile, score, games and sessions are removed from this server at once. This cannot be undone. For 30 days we keep a code of your sign-in that shows neither your name nor your address.',
  deleteForGood: 'Delete for good',
  keep: 'Keep my account',
  failed: {
    browsers: 'Your signed-in browsers could not be loaded.',
    signOut: 'That browser could not be signed out.',
    signOutOthers: 'Your other browsers could not be signed out.',
    signOutEverywhere: 'You could not be signed out everywhere.',
    download: 'Your data could not be downloaded.',
    signInAgain: 'The sign-in could not be started. Please try again.',
    delete: 'The server did not confirm that your account was deleted. Please try again.',
  },
  done: {
    signOut: (browser: string): string => `${browser} has been signed out.`,
    signOutOthers: 'All other browsers have been signed out.',
    download: 'Your data has been downloaded.',
  },
} as const;

export const achievements = {
  title: 'Achievements',
  drawsInARow: 'Draws in a row on Hard',
  longestStreak: 'Longest draw streak',
  winsAt: (difficulty: Difficulty): string => `Wins on ${pageMessages.play.difficulties[difficulty].name}`,
  unknown: '–',
  badges: 'Badges',
  badge: pageMessages.badges,
  notYet: 'Not yet',
  progress: (progress: number, goal: number): string => `${progress} of ${goal}`,
  failed: 'Your achievements could not be loaded.',
};

/** About sign-in methods. */
export const links = {
  title: 'Sign-in methods',
  loading: 'Loading sign-in methods',
  provider: providerName,
  linked: 'Linked',
  notLinked: 'Not linked',
  link: 'Link',
  linkWith: (provider: string): string => `Link ${providerName(provider)}`,
  unlink: 'Unlink',
  unlinkFrom: (provider: string): string => `Unlink ${providerName(provider)}`,
  both: 'Link both to sign in with either.',
  question: (provider: string): string => `Link ${providerName(provider)} to this account?`,
  who: (name: string, email: string | null): string => (email ? `${name}, ${email}` : name),
  effect: (provider: string): string => `You can then sign in to this account with ${providerName(provider)}, too.`,
  refused: (provider: string): string => `${providerName(provider)} is not linked`,
  cancel: 'Cancel',
  close: 'Close',
  unlinkQuestion: (provider: string): string => `Unlink ${providerName(provider)}?`,
  unlinkText: (provider: string): string =>
    `A sign-in with ${providerName(provider)} then makes a new account. Your other browsers are signed out.`,
  keep: 'Keep it linked',
  expired: 'This link has expired, or another browser began it. Start it again.',
  done: {
    link: (provider: string): string => `${providerName(provider)} is linked.`,
    unlink: (provider: string): string => `${providerName(provider)} is unlinked.`,
  },
  failed: {
    load: 'Your sign-in methods could not be loaded.',
    link: 'The link could not be completed. Please try again.',
    unlink: 'This sign-in method could not be unlinked.',
  },
} as const;

/** What each scope allows, in the order of the form. */
const scopes = {
  stats_read: 'Read stats and places',
  games_read: 'Read finished games',
  games_write: 'Play games',
  account_read: 'Read name and email',
};

/** About personal tokens. */
export const tokens = {
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
