import type { Difficulty } from '../../game/bot.js';
import { messages as pageMessages } from './game.js';

/** The messages about achievements, in their own file because they load with the account dialog. */
export const messages = {
  title: 'Achievements',
  drawsInARow: 'Draws held in a row on Hard',
  longestStreak: 'Longest draw streak',
  winsAt: (difficulty: Difficulty): string => `Wins on ${pageMessages.play.difficulties[difficulty].name}`,
  unknown: '–',
  badges: 'Badges',
  badge: {
    first_easy_win: 'First win on Easy',
    first_medium_win: 'First win on Medium',
    first_hard_draw: 'First draw on Hard',
    ten_hard_draws: 'Ten draws on Hard',
    first_hard_win: 'First win on Hard',
    seven_challenge_days: 'Seven-day challenge streak',
  },
  date: pageMessages.time.date,
  reached: 'Reached',
  notYet: 'Not yet',
  progress: (progress: number, goal: number): string => `${progress} of ${goal}`,
  share: (percent: string): string => `${percent} of players`,
  failed: 'Your achievements could not be loaded.',
};
