import { providerName } from './game.js';

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
