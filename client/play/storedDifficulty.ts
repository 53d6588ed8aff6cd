import { DIFFICULTIES } from '../../game/bot.js';
import type { Difficulty } from '../../game/bot.js';
import { stored } from '../ui/stored.js';

const KEY = 'tic-tac-toe.difficulty';

/** The difficulty that was chosen last in this browser. */
export const storedDifficulty = {
  get: (): Difficulty => DIFFICULTIES.find((difficulty) => difficulty === stored.get(KEY)) ?? 'medium',
  set: (difficulty: Difficulty): void => stored.set(KEY, difficulty),
};
