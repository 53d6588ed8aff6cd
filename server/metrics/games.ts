import { Counter, Histogram, type Registry } from 'prom-client';
import { gameBatches } from '../counting/batch-events.js';
import { gamesAnswered } from '../games/game-events.js';

/** A batch has 32 games at most. */
const SIZES = [1, 2, 4, 8, 16, 32];

/** Counted, repeated and refused games. */
export function recordGames(registry: Registry): void {
  const registers = [registry];
  const games = new Counter({
    name: 'ttt_games_total',
    help: 'Finished games that the server has counted, now or before (repeated).',
    labelNames: ['source', 'outcome'],
    registers,
  });
  const refused = new Counter({
    name: 'ttt_games_refused_total',
    help: 'Finished games that the server has refused.',
    labelNames: ['source', 'reason'],
    registers,
  });
  for (const outcome of ['counted', 'repeated']) games.inc({ source: 'verified', outcome }, 0);
  gamesAnswered.subscribe(({ source, outcome }) => {
    if (outcome === 'counted' || outcome === 'repeated') games.inc({ source, outcome });
    else refused.inc({ source, reason: outcome });
  });
  const batches = new Histogram({
    name: 'ttt_game_batch_size',
    help: 'The games that one statement counted together.',
    buckets: SIZES,
    registers,
  });
  gameBatches.subscribe(({ games: size }) => batches.observe(size));
}
