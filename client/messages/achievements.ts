import type { Difficulty } from '../../game/bot.js';
import { messages as pageMessages } from './game.js';

/** The messages about achievements, in their own file because they load with the account dialog. */
export const messages = {
  title: 'Achievements',
  drawsInARow: 'Draws in a row on Hard',
  longestStreak: 'Longest draw streak',
  winsAt: (difficulty: Difficulty): string => `Wins on ${pageMessages.play.difficulties[difficulty].name}`,
  unknown: '–',
  badges: 'Badges',
  badge: pageMessages.badges,
  date: pageMessages.time.date,
  notYet: 'Not yet',
  progress: (progress: number, goal: number): string => `${progress} of ${goal}`,
  failed: 'Your achievements could not be loaded.',
};
