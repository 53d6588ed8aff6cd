import { useState } from 'react';
import { PROVIDER } from '../../playerStorage.js';

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
  try {
    const other = provider === 'google' ? 'github' : 'google';
    if (localStorage.getItem(PROVIDER) === other && localStorage.getItem(HINT) !== SHOWN)
      localStorage.setItem(HINT, id);
    localStorage.setItem(PROVIDER, provider);
    return isNew && localStorage.getItem(HINT) === id ? other : null;
  } catch {
    // Without room in the storage, the page works as before.
    return null;
  }
}

/**
 * The provider that the owner of a new account has used here before, until the hint is dismissed: once in each browser.
 * @param isNew whether the account has no games
 */
export function useLinkHint(player: SignedIn, isNew: boolean): [provider: string | null, dismiss: () => void] {
  const [provider, setProvider] = useState(() => rememberProvider(player, isNew));
  const dismiss = () => {
    if (provider) localStorage.setItem(HINT, SHOWN);
    setProvider(null);
  };
  return [provider, dismiss];
}
