import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { useState } from 'react';
import { providerName, PROVIDERS } from '../data/settings.js';
import type { Player } from '../data/player.js';
import { PROVIDER } from '../data/playerStorage.js';
import { Button } from '../ui/Button.js';
import { stored } from '../ui/stored.js';

/** The browser stores here the other provider, and the id of the player who sees the hint. */
const HINT = `${PROVIDER}.hint`;

/** Replaces both when the player has seen the hint: this browser shows it only once. */
const SHOWN = '';

/**
 * Tells the owner of a new account, who has used the other provider here before, that both can be linked. It stays until it
 * is dismissed: once in each browser.
 * @param isNew whether the account has no games
 */
export function LinkHint({ player, isNew, onOpen }: { player: Player; isNew: boolean; onOpen: () => void }) {
  const { t } = useLingui();
  const [provider, setProvider] = useState(() => rememberProvider(player, isNew));
  if (!provider) return null;
  const dismiss = () => {
    stored.set(HINT, SHOWN);
    setProvider(null);
  };
  return (
    <aside className="link-hint">
      <Button look="quiet" onClick={onOpen}>
        {t`Played here with ${{ provider: providerName(provider) }} before? Keep one score.`}
      </Button>
      <Button look="quiet" aria-label={t`Dismiss`} onClick={dismiss}>
        <X aria-hidden />
      </Button>
    </aside>
  );
}

/** Stores the provider of this sign-in. Returns another one if a new player has used it here before. */
function rememberProvider({ id, provider }: Player, isNew: boolean): string | null {
  const last = stored.get(PROVIDER);
  if (last && last !== provider && stored.get(HINT) !== SHOWN) stored.set(HINT, `${last} ${id}`);
  stored.set(PROVIDER, provider);
  return (isNew && PROVIDERS.find((other) => stored.get(HINT) === `${other} ${id}`)) || null;
}
