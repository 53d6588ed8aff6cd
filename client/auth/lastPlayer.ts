import { fromJson, stored } from '../ui/stored.js';
import type { Player } from './player.js';

const KEY = 'tic-tac-toe.player';

/**
 * The player who was last signed in here, for opening the page without a network. It holds public fields only, and
 * nothing that grants access.
 */
export const lastPlayer = {
  get: () => fromJson(stored.get(KEY)) as Player | null,

  set: ({ id, name, picture, provider }: Player): void =>
    stored.set(KEY, JSON.stringify({ id, name, picture, provider, email: null } satisfies Player)),

  clear: (): void => stored.set(KEY, null),
};
