import type { Player } from './player.js';

const KEY = 'tic-tac-toe.player';

/**
 * Who was signed in here last, so that the page can be opened without a network: as others see the player, and without
 * anything that opens a session.
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
      // A full storage costs no more than being remembered.
    }
  },

  clear: (): void => {
    try {
      localStorage.removeItem(KEY);
    } catch {
      // Where storage is blocked nobody was remembered.
    }
  },
};
