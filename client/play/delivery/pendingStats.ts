import { DIFFICULTIES } from '../../../game/bot.js';
import { POINTS, addResult, gamesIn, type Stats } from '../../../game/scoring.js';
import type { FinishedGame } from './outbox.js';

/**
 * Adds pending games to the server's stats. The server may already have counted a pending game when its answer was lost
 * or went to another tab. The game's number then shows that the stats include it.
 */
export function addPending(stats: Stats, pending: readonly FinishedGame[]): Stats {
  const known = gamesIn(stats);
  return pending
    .filter(({ nth }) => nth === undefined || nth > known)
    .filter(({ result, difficulty }) => Object.hasOwn(POINTS, result) && DIFFICULTIES.includes(difficulty))
    .reduce((sum, { result, difficulty }) => addResult(sum, result, difficulty).stats, stats);
}
