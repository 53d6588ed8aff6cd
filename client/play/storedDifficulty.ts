import { DIFFICULTIES } from '../../game/bot.js';
import type { Difficulty } from '../../game/bot.js';

const KEY = 'tic-tac-toe.difficulty';
const FIRST: Difficulty = 'medium';

/** The difficulty that was chosen last in this browser. */
export const storedDifficulty = {
  get: (): Difficulty => {
    try {
      const stored = localStorage.getItem(KEY);
      return DIFFICULTIES.find((difficulty) => difficulty === stored) ?? FIRST;
    } catch {
      return FIRST;
    }
  },

  set: (difficulty: Difficulty): void => {
    try {
      localStorage.setItem(KEY, difficulty);
    } catch {
      // Without room in the storage, the page works as before.
    }
  },
};
