/**
 * Games of players who all have the same score, beside games of players spread over many scores. Rounds alternate, so that
 * another program on the machine slows both. Each round counts one game of each of its players, who all win from 0 or
 * from a score of their own, while the changes are folded once a second.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from './postgres.js';

const CONCURRENT = 64;
const PLAYERS_PER_ROUND = 10 * CONCURRENT;
const ROUNDS = 9;

const PLAYERS = `
  WITH made AS (
    INSERT INTO players (name, provider, created_at)
      SELECT 'Player', 'google', now() FROM generate_series(1, $1) RETURNING id
  ), numbered AS (
    SELECT id, CASE WHEN $2 THEN (row_number() OVER ())::integer * 3 ELSE 0 END AS score FROM made
  ), stats AS (
    INSERT INTO player_stats (player_id, score, wins, draws, easy_wins, reached_at)
      SELECT id, score, score, 1, score, now() FROM numbered RETURNING player_id, score
  ), changes AS (
    INSERT INTO score_changes SELECT player_id, 1, NULL, score FROM stats
  )
  INSERT INTO sessions (player_id, created_at, last_seen_at, expires_at)
    SELECT id, now(), now(), now() + interval '1 day' FROM numbered RETURNING player_id, id AS session_id`;
const GAME = `
  SELECT status FROM record_game($1, $2, gen_random_uuid(), 'reported', 'easy', 'win', NULL, NULL, NULL, now(), 0, 0)`;

/**
 * @param {(url: string) => Promise<void>} migrate
 * @param {{ commitMs: number }} options   how long a commit takes at least
 */
export async function benchmarkScores(migrate, { commitMs }) {
  // PostgreSQL waits for other commits only where it flushes to disk.
  /** @type {Record<string, string>} */
  const settings = commitMs > 0 ? { fsync: 'on', commit_delay: String(commitMs * 1_000), commit_siblings: '0' } : {};
  const postgres = await startPostgres({ settings });
  const pool = new pg.Pool({ connectionString: postgres.url, max: CONCURRENT });
  // Idle connections report the end of PostgreSQL.
  pool.on('error', () => undefined);
  try {
    await migrate(postgres.url);
    await Promise.all(Array.from({ length: CONCURRENT }, () => pool.query('SELECT pg_sleep(0.1)')));
    await gamesPerSecond(pool, false);
    /** @type {{ same: number, spread: number }[]} */
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const first = await gamesPerSecond(pool, round % 2 === 0);
      const second = await gamesPerSecond(pool, round % 2 !== 0);
      rounds.push(round % 2 === 0 ? { spread: first, same: second } : { spread: second, same: first });
    }
    const same = median(rounds.map((round) => round.same));
    const spread = median(rounds.map((round) => round.spread));
    const ratio = median(rounds.map((round) => round.same / round.spread));
    const commit = commitMs > 0 ? `a commit takes ${commitMs} ms` : 'commits are fast';
    console.log(`${CONCURRENT} players at a time, ${commit}: games a second`);
    console.log(`  all from 0 to 1                          ${same.toFixed(0)}`);
    console.log(`  spread over many scores                  ${spread.toFixed(0)}`);
    console.log(`  ratio                                    ${ratio.toFixed(2)}`);
  } finally {
    await pool.end();
    await postgres.stop();
  }
}

async function gamesPerSecond(/** @type {pg.Pool} */ pool, /** @type {boolean} */ spread) {
  const { rows } = await pool.query(PLAYERS, [PLAYERS_PER_ROUND, spread]);
  await pool.query('SELECT fold_score_changes($1)', [PLAYERS_PER_ROUND]);
  await pool.query('VACUUM score_changes, score_totals, player_stats');
  const done = new AbortController();
  const folding = foldEverySecond(pool, done.signal);
  const began = performance.now();
  const play = async () => {
    for (let player = rows.pop(); player; player = rows.pop()) {
      await pool.query(GAME, [player.session_id, player.player_id]);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, play));
  const seconds = (performance.now() - began) / 1_000;
  done.abort();
  await folding;
  return PLAYERS_PER_ROUND / seconds;
}

async function foldEverySecond(/** @type {pg.Pool} */ pool, /** @type {AbortSignal} */ signal) {
  while (!signal.aborted) {
    await pause(1_000, undefined, { signal }).catch(() => undefined);
    await pool.query('SELECT fold_score_changes(20000)');
  }
}

function median(/** @type {number[]} */ values) {
  return /** @type {number} */ (values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]);
}
