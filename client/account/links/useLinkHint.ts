import { useState } from 'react';
import { PROVIDER } from '../../playerStorage.js';
import { stored } from '../../ui/stored.js';

/** The browser stores here the id of the player who sees the hint. */
const HINT = `${PROVIDER}.hint`;

/** Replaces that id when the player has seen the hint: this browser shows it only once. */
const SHOWN = '';

interface SignedIn {
  readonly id: string;
  readonly provider: string;
}

/** Stores the provider of this sign-in. Returns the other one if a new player has used it here before. */
function rememberProvider({ id, provider }: SignedIn, isNew: boolean): string | null {
  const other = provider === 'google' ? 'github' : 'google';
  if (stored.get(PROVIDER) === other && stored.get(HINT) !== SHOWN) stored.set(HINT, id);
  stored.set(PROVIDER, provider);
  return isNew && stored.get(HINT) === id ? other : null;
}

/**
 * The provider that the owner of a new account has used here before, until the hint is dismissed: once in each browser.
 * @param isNew whether the account has no games
 */
export function useLinkHint(player: SignedIn, isNew: boolean): [provider: string | null, dismiss: () => void] {
  const [provider, setProvider] = useState(() => rememberProvider(player, isNew));
  const dismiss = () => {
    if (provider) stored.set(HINT, SHOWN);
    setProvider(null);
  };
  return [provider, dismiss];
}
