/** Why a session has ended, where the account is gone. */
export const ACCOUNT_DELETED = 'Your account is deleted.';

/**
 * The messages before the sign-in, in their own file so that the login screen loads without the game's.
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
    logoutFailed: "Couldn't sign out: the server doesn't answer.",
    loadingTimeout: 'Auth loading timeout',
    noSession: 'No session found',
    noToken: 'No auth token',
    signInFailed: 'Login failed. Please try again.',
    blocked: 'Your browser blocks cookies or storage here. Allow them and try again.',
    noProvider: 'No sign-in is set up on this server.',
    insideApp: "Google sign-in doesn't work inside apps. Open this page in your browser, or use GitHub.",
    insideAppWithoutGitHub: "Google sign-in doesn't work inside apps. Open this page in your browser.",
    needsHttps: 'Open this page over https.',
    signInCookieLost: 'Your browser blocked the sign-in cookie. Allow cookies here and try again.',
    cookieLost: 'Your browser lost your session cookie. Allow cookies here and sign in again.',
    sessionEnded: "You've been signed out. Sign in again.",
    unreachable: "Can't reach the server. Check your connection and try again.",
    signInErrors: {
      access_denied: 'Sign-in cancelled. Nothing was shared.',
      account_banned: 'This account is banned.',
      sign_in_expired: 'This sign-in has expired. Try again.',
      provider_unavailable: "The sign-in service isn't answering. Try again in a few minutes.",
      too_many_sign_ins: 'Too many sign-ins from your network. Wait a minute and try again.',
      foreign_code: 'That sign-in began in another tab. Sign in from here.',
    },
  },

  privacy: 'Privacy policy',

  trial: 'Try a game: you are X',

  crash: {
    title: 'Something went wrong',
    text: 'The page hit a problem. Your finished games are safe.',
    reload: 'Reload',
  },
} as const;
