import { t } from '@lingui/core/macro';
import { loadLanguage, type Catalogs } from './language.js';

/**
 * The messages before the sign-in, in their own file so that the login screen loads without the game's. Sentences without `t`
 * are for the console.
 */
const inLanguage = () => ({
  title: t`Tic-Tac-Toe`,

  auth: {
    tagline: t`Challenge the AI and climb the leaderboard!`,
    continueWith: { google: t`Continue with Google`, github: t`Continue with GitHub` },
    redirecting: t`Redirecting to login...`,
    lastUsed: t`Last used`,
    footer: t`Secure OAuth 2.0 authentication`,
    processing: t`Processing authentication...`,
    loading: t`Loading...`,
    checking: t`Checking authentication...`,
    loadingStats: t`Loading stats...`,
    player: t`Player`,
    logout: t`Logout`,
    logoutFailed: t`Couldn't sign out: the server doesn't answer.`,
    loadingTimeout: 'Auth loading timeout',
    noSession: 'No session found',
    noToken: 'No auth token',
    signInFailed: t`Login failed. Please try again.`,
    blocked: t`Your browser blocks cookies or storage here. Allow them and try again.`,
    noProvider: t`No sign-in is set up on this server.`,
    insideApp: t`Google sign-in doesn't work inside apps. Open this page in your browser, or use GitHub.`,
    insideAppWithoutGitHub: t`Google sign-in doesn't work inside apps. Open this page in your browser.`,
    needsHttps: t`Open this page over https.`,
    signInCookieLost: t`Your browser blocked the sign-in cookie. Allow cookies here and try again.`,
    cookieLost: t`Your browser lost your session cookie. Allow cookies here and sign in again.`,
    sessionEnded: t`You've been signed out. Sign in again.`,
    accountDeleted: t`Your account is deleted.`,
    unreachable: t`Can't reach the server. Check your connection and try again.`,
    signInErrors: {
      access_denied: t`Sign-in cancelled. Nothing was shared.`,
      account_banned: t`This account is banned.`,
      sign_in_expired: t`This sign-in has expired. Try again.`,
      provider_unavailable: t`The sign-in service isn't answering. Try again in a few minutes.`,
      too_many_sign_ins: t`Too many sign-ins from your network. Wait a minute and try again.`,
      foreign_code: t`That sign-in began in another tab. Sign in from here.`,
    },
  },

  privacy: t`Privacy policy`,
  language: t`Language`,

  trial: t`Try a game: you are X`,

  crash: {
    title: t`Something went wrong`,
    text: t`The page hit a problem. Your finished games are safe.`,
    reload: t`Reload`,
  },
});

export let messages = inLanguage();

/** Before the page draws anything, and before the other messages load. */
export async function speak(catalogs: Catalogs): Promise<void> {
  if (await loadLanguage(catalogs)) messages = inLanguage();
  document.title = messages.title;
}
