import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { providerName } from '../data/settings.js';
import { named } from '../messages/words.js';
import { SIGN_IN_ERRORS } from '../messages/signInErrors.js';

/** What the server refuses, by its code. Of other codes, the page says what did not work. */
export const REFUSALS: Readonly<Record<string, MessageDescriptor>> = {
  export_under_way: msg`Your data is being downloaded already. Try again when that download has ended.`,
  too_many_exports: msg`Several players are downloading their data at the moment. Try again in a minute.`,
  too_many_requests: msg`Too many requests from your network. Wait a minute and try again.`,
  too_many_sign_ins: SIGN_IN_ERRORS.too_many_sign_ins!,
  name_decided: msg`A moderator has set your name: you cannot change it.`,
  name_not_visible: msg`A name needs a visible character.`,
  too_many_names: msg`You have changed your name three times today. Try again tomorrow.`,
  link_expired: msg`This link has expired. Start it again.`,
  already_linked: msg`This sign-in method is linked already.`,
  provider_linked: msg`Another account of this provider is linked already. Unlink it first.`,
  identity_changed: msg`This sign-in method has just changed. Start the link again.`,
  account_not_linkable: msg`This sign-in method cannot be linked. If you think that is wrong, ask the operator of this site.`,
};

export const LINK_FAILED = msg`Linking did not work. Please try again.`;

interface RefusedLink {
  readonly reason: string;
  readonly owner: { readonly name: string; readonly games: number; readonly isOnlyOne: boolean } | null;
}

/** Why an identity cannot be linked, and whose it is. */
export function refusedLink(identity: string, { reason, owner }: RefusedLink): string {
  if (!owner) return i18n._(REFUSALS[reason] ?? LINK_FAILED);
  const { name, games, isOnlyOne } = owner;
  const provider = providerName(identity);
  // The two invisible characters keep a name of the other direction in its place.
  const player = `\u2068${name}\u2069`;
  const sentence = isOnlyOne
    ? t`This ${provider} account has its own player here: “<0>name</0>”, ${plural(games, { one: '# game', other: '# games' })}. Nobody has played in the account that you use now: sign in with the other one, and link there.`
    : t`This ${provider} account has its own player here: “<0>name</0>”, ${plural(games, { one: '# game', other: '# games' })}. To link it, sign in with it, delete that account, then link again.`;
  return named(player, sentence);
}

/** "Firefox on Linux", in the words of the server. */
export function browserName(browser: string): string {
  const [name = '', system] = browser.split(' on ');
  if (system) return t`${name} on ${system}`;
  return browser === 'Unknown browser' ? t`Unknown browser` : browser;
}
