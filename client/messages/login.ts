/**
 * The messages before the sign-in, in their own file so that the login screen loads without the game's. The strings of
 * the specification are exact.
 */
export const messages = {
  title: 'Tic-Tac-Toe',

  auth: {
    tagline: 'Challenge the AI and climb the leaderboard!',
    continueWith: { google: 'Continue with Google', github: 'Continue with GitHub' },
    redirecting: 'Redirecting to login...',
    lastUsed: 'Last used',
    footer: 'Secure OAuth 2.0 authentication',
    processing: 'Processing authentication...',
    loading: 'Loading...',
    checking: 'Checking authentication...',
    loadingStats: 'Loading stats...',
    player: 'Player',
    logout: 'Logout',
    logoutFailed: 'You are still signed in: the server could not be reached. Please try again.',
    loadingTimeout: 'Auth loading timeout',
    noSession: 'No session found',
    noToken: 'No auth token',
    signInFailed: 'Login failed. Please try again.',
    blocked: 'Your browser blocks cookies or storage for this page: please allow them and try again.',
    needsHttps: 'Open this page over https.',
    signInCookieLost:
      'Your browser did not keep the cookie of this sign-in: please allow cookies for this page and try again.',
    cookieLost:
      'Your browser no longer has the cookie of your session: please allow cookies for this page and sign in again.',
    sessionEnded: 'Your session has ended: please sign in again.',
    unreachable: 'The server could not be reached. Please check your connection and try again.',
    signInErrors: {
      access_denied: 'Sign-in cancelled. Nothing was shared.',
      account_banned: 'This account is banned.',
      sign_in_expired: 'This sign-in has expired. Try again.',
      provider_unavailable: 'The sign-in service is not answering. Please try again in a few minutes.',
      provider_not_set_up: 'This provider is not set up here. Please choose the other one.',
      too_many_sign_ins: 'Too many sign-ins from your network. Please wait a minute and try again.',
      foreign_code: 'That sign-in was not started in this tab. Please sign in from here.',
    },
  },

  trial: 'Try a game: you are X',

  crash: {
    title: 'Something went wrong',
    text: 'The page hit a problem it could not solve. Your finished games are safe.',
    reload: 'Reload',
  },
} as const;
