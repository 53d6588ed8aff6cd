/** A database with many games, and the steps of the drills that save and archive one. */
import pg from 'pg';
import { attempt } from '../machine/run.js';

const GAMES_OF_A_PLAYER = 100;

/**
 * Wins, losses and draws in turn. `ttt stats rebuild --repair` computes the sums, bonuses and points.
 * @param {string} url
 * @param {{ games: number, until: string, hoursBetween: number }} options `until` is in SQL, the time of each player's last game
 */
export const fill = (url, { games, until, hoursBetween }) =>
  query(
    url,
    `
  SELECT create_games_months(month) FROM generate_series(
    ${until} - interval '${GAMES_OF_A_PLAYER * hoursBetween} hours', ${until}, interval '27 days') AS month;
  INSERT INTO players (name, provider, created_at)
    SELECT 'Player ' || n, 'google', now() FROM generate_series(1, ${Math.ceil(games / GAMES_OF_A_PLAYER)}) AS n;
  INSERT INTO identities (issuer, subject, player_id, created_at) SELECT 'https://example.org', id, id, now() FROM players;
  INSERT INTO sessions (player_id, id, created_at, last_seen_at, expires_at)
    SELECT id, id, now(), now(), now() + interval '1 day' FROM players;
  INSERT INTO games (id, player_id, number, source, difficulty, result, bonus, points, seed, moves, started_at, finished_at)
    SELECT gen_random_uuid(), id, n, 'verified', 'easy', result, false, CASE result WHEN 'win' THEN 1 WHEN 'lose' THEN -1 ELSE 0 END,
      md5(id::text || n), '{0,4,1,3,2}', at - interval '9 seconds', at
    FROM players CROSS JOIN generate_series(1, ${GAMES_OF_A_PLAYER}) AS n
      CROSS JOIN LATERAL (SELECT (ARRAY['win', 'win', 'win', 'lose', 'draw'])[1 + (n + ascii(id::text)) % 5] AS result,
        ${until} - make_interval(hours => ${hoursBetween} * (${GAMES_OF_A_PLAYER} - n)) AS at) AS played;
  ANALYZE;
`,
  );

/** @param {string} url @param {string} sql @param {unknown[]} [values] @returns {Promise<Record<string, unknown>[]>} */
export async function query(url, sql, values) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const answer = await client.query(sql, values);
    return answer.rows ?? [];
  } finally {
    await client.end();
  }
}

/** Prints the seconds. @template T @param {string} step @param {() => Promise<T>} work */
export async function timed(step, work) {
  const began = performance.now();
  const result = await work();
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(8)} s  ${step}`);
  return result;
}

/** Runs the built command line. @param {string} folder */
export function tttOn(folder) {
  return async (/** @type {string} */ url, /** @type {string[]} */ ...words) => {
    const { code, output } = await attempt(process.execPath, ['dist/bundle/ttt.js', ...words], {
      env: { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: folder },
      quiet: true,
    });
    if (code !== 0) throw new Error(output);
    return output;
  };
}
