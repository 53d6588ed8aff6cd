import { plural, t } from '@lingui/core/macro';
import { messages as pageMessages, providerName } from './game.js';
import { named } from './language.js';

/** The messages of the account, in their own file because they load with its dialog. */
export const messages = {
  title: t`Account`,
  signedInWith: (provider: string): string => t`Signed in with ${{ provider: providerName(provider) }}`,
  needsSignIn: t`To protect your account, please sign in again first.`,
  signInAgain: (provider: string): string => t`Sign in again with ${{ provider: providerName(provider) }}`,
  badges: {
    title: t`Badges`,
    names: pageMessages.badges,
    unknown: '–',
    notYet: t`Not yet`,
    reached: t`Reached`,
    progress: (progress: number, goal: number): string => t`${progress} of ${goal}`,
    failed: t`Your badges could not be loaded.`,
  },
  name: {
    title: t`Name on the leaderboard`,
    save: t`Save`,
    undo: (provider: string): string => t`Use the name from ${{ provider: providerName(provider) }}`,
    decided: t`A moderator has set this name.`,
    done: (name: string): string => named(name, t`Your name is <0>name</0> now.`),
    failed: t`Your name could not be changed. Please try again.`,
  },
  browsers: t`Signed-in browsers`,
  loading: t`Loading signed-in browsers`,
  thisBrowser: t`This browser`,
  signedIn: t`Signed in`,
  lastSeen: t`Last seen`,
  signOut: t`Sign out`,
  signOutOf: (browser: string): string => t`Sign out ${browser}`,
  signOutOthers: t`Sign out all other browsers`,
  signOutEverywhere: t`Sign out everywhere`,
  allBrowsers: (count: number): string => t`Show all ${count}`,
  data: t`Your data`,
  download: t`Download my data`,
  delete: t`Delete account`,
  deleteTitle: t`Delete your account?`,
  deleteText: t`Your profile, score and games are deleted at once, for good. For 30 days we keep an anonymous marker of your sign-in.`,
  deleteForGood: t`Delete for good`,
  keep: t`Keep my account`,
  tokens: t`Personal tokens for programs`,
  language: pageMessages.language,
  privacy: pageMessages.privacy,
  failed: {
    browsers: t`Your signed-in browsers could not be loaded.`,
    signOut: t`That browser could not be signed out.`,
    signOutOthers: t`Your other browsers could not be signed out.`,
    signOutEverywhere: t`You could not be signed out everywhere.`,
    download: t`Your data could not be downloaded.`,
    signInAgain: t`The sign-in could not start. Please try again.`,
    delete: t`Your account may not be deleted yet. Please try again.`,
  },
  done: {
    signOut: (browser: string): string => t`${browser} is signed out.`,
    signOutOthers: t`All other browsers are signed out.`,
    download: t`Your data is downloaded.`,
  },
};

/** What the server refuses, by its code. Of other codes, the page says what did not work. */
export const refusals: Readonly<Record<string, string>> = {
  export_under_way: t`Your data is being downloaded already. Try again when that download has ended.`,
  too_many_exports: t`Several players are downloading their data at the moment. Try again in a minute.`,
  too_many_requests: t`Too many requests from your network. Wait a minute and try again.`,
  too_many_sign_ins: pageMessages.auth.signInErrors.too_many_sign_ins,
  name_decided: t`A moderator has set your name: you cannot change it.`,
  name_not_visible: t`A name needs a visible character.`,
  too_many_names: t`You have changed your name three times today. Try again tomorrow.`,
  link_expired: t`This link has expired. Start it again.`,
  already_linked: t`This sign-in method is linked already.`,
  provider_linked: t`Another account of this provider is linked already. Unlink it first.`,
  identity_changed: t`This sign-in method has just changed. Start the link again.`,
  account_not_linkable: t`This sign-in method cannot be linked. If you think that is wrong, ask the operator of this site.`,
};

/** "Firefox on Linux", in the words of the server. */
export function browserName(browser: string): string {
  const [name = '', system] = browser.split(' on ');
  if (system) return t`${name} on ${system}`;
  return browser === 'Unknown browser' ? t`Unknown browser` : browser;
}

interface RefusedLink {
  readonly reason: string;
  readonly owner: { readonly name: string; readonly games: number; readonly isOnlyOne: boolean } | null;
}

function whoHas(identity: string, { name, games, isOnlyOne }: NonNullable<RefusedLink['owner']>): string {
  const provider = providerName(identity);
  // The two invisible characters keep a name of the other direction in its place.
  const player = `\u2068${name}\u2069`;
  const sentence = isOnlyOne
    ? t`This ${provider} account has its own player here: “<0>name</0>”, ${plural(games, { one: '# game', other: '# games' })}. Nobody has played in the account that you use now: sign in with the other one, and link there.`
    : t`This ${provider} account has its own player here: “<0>name</0>”, ${plural(games, { one: '# game', other: '# games' })}. To link it, sign in with it, delete that account, then link again.`;
  return named(player, sentence);
}

export const links = {
  title: t`Sign-in methods`,
  loading: t`Loading sign-in methods`,
  provider: providerName,
  linked: t`Linked`,
  notLinked: t`Not linked`,
  link: t`Link`,
  linkWith: (provider: string): string => t`Link ${{ provider: providerName(provider) }}`,
  unlink: t`Unlink`,
  unlinkFrom: (provider: string): string => t`Unlink ${{ provider: providerName(provider) }}`,
  both: t`Link both to sign in with either.`,
  question: (provider: string): string => t`Link ${{ provider: providerName(provider) }} to this account?`,
  who: (name: string, email: string | null): string => (email ? `${name}, ${email}` : name),
  effect: (provider: string): string => t`You can then sign in with ${{ provider: providerName(provider) }} too.`,
  refused: (provider: string): string => t`${{ provider: providerName(provider) }} is not linked`,
  refusal: (provider: string, { reason, owner }: RefusedLink): string =>
    owner ? whoHas(provider, owner) : (refusals[reason] ?? links.failed.link),
  cancel: t`Cancel`,
  close: t`Close`,
  unlinkQuestion: (provider: string): string => t`Unlink ${{ provider: providerName(provider) }}?`,
  unlinkText: (provider: string): string =>
    t`Signing in with ${{ provider: providerName(provider) }} then starts a new account. Your other browsers are signed out.`,
  keep: t`Keep it linked`,
  expired: t`This link has expired. Please start again.`,
  done: {
    link: (provider: string): string => t`${{ provider: providerName(provider) }} is linked.`,
    unlink: (provider: string): string => t`${{ provider: providerName(provider) }} is unlinked.`,
  },
  failed: {
    load: t`Your sign-in methods could not be loaded.`,
    link: t`Linking did not work. Please try again.`,
    unlink: t`This sign-in method could not be unlinked.`,
  },
};
