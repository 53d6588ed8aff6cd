import { DIFFICULTIES } from '../../game/bot.js';
import { POINTS, addResult, gamesIn } from '../../game/scoring.js';
import type { Stats } from '../../game/scoring.js';
import type { FinishedGame } from './outbox.js';

/**
 * The server's stats, and on top of them the finished games that it has not answered. It may have counted one of those
 * all the same, when its answer is late or lost or went to another tab. Then its stats hold as many games as the player
 * had with that one, which so is not added a second time.
 */
export function addPending(stats: Stats, pending: readonly FinishedGame[]): Stats {
  const known = gamesIn(stats);
  return pending
    .filter(({ nth }) => nth === undefined || nth > known)
    .filter(({ result, difficulty }) => Object.hasOwn(POINTS, result) && DIFFICULTIES.includes(difficulty))
    .reduce((sum, { result, difficulty }) => addResult(sum, result, difficulty).stats, stats);
}
