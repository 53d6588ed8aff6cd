import type { Difficulty } from './bot.js';

/** The games of a day's challenge in their order. */
export const CHALLENGE_DIFFICULTIES = Object.freeze([
  'easy',
  'easy',
  'medium',
  'medium',
  'hard',
] as const satisfies Difficulty[]);

export const CHALLENGE_GAMES = CHALLENGE_DIFFICULTIES.length;
