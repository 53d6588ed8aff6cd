import type { Player } from './player.js';

const KEY = 'tic-tac-toe.player';

/**
 * The player who was last signed in here, for opening the page without a network. It holds public fields only, and
 * nothing that grants access.
 */
export const lastPlayer = {
  get: (): Player | null => {
    try {
      return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Player | null;
    } catch {
      return null;
    }
  },

  set: ({ id, name, picture, provider }: Player): void => {
    try {
      localStorage.setItem(KEY, JSON.stringify({ id, name, picture, provider, email: null } satisfies Player));
    } catch {
      // Without room in the storage, the page works as before.
    }
  },

  clear: (): void => {
    try {
      localStorage.removeItem(KEY);
    } catch {
      // Blocked storage holds nothing.
    }
  },
};
