/**
 * `npm run backup-drill -- 1000000`: saves a database with so many games while games are counted, restores it into the newest
 * PostgreSQL here, and lets the doctor recount every player. Prints the seconds of each step.
 */
import './node-version.js';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ensureBuilt } from './build.js';
import { startPostgres } from './postgres.js';
import { attempt } from './run.js';

const games = Number(process.argv[2] ?? 1_000_000);
const GAMES_OF_A_PLAYER = 100;
const PLAYERS_AT_A_TIME = 4;

/** Wins, losses and draws in turn; recount_player computes the sums. */
const FILL = `
  SELECT create_games_months(now() - interval '2 months');
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
        now() - make_interval(hours => 9 * (${GAMES_OF_A_PLAYER} - n)) AS at) AS played;
  SELECT recount_player(id) FROM players;
  ANALYZE;
`;

const COUNT = `
  SELECT (game).id FROM record_game($1, $1, gen_random_uuid(), 'verified', 'easy', 'win', md5('x'), '{0,4,1,3,2}',
    now() - interval '9 seconds', now(), 0)`;

/** @param {string} url @param {string} sql @param {unknown[]} [values] @returns {Promise<Record<string, unknown>[]>} */
async function query(url, sql, values) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const answer = await client.query(sql, values);
    return answer.rows ?? [];
  } finally {
    await client.end();
  }
}

/** @template T @param {string} step @param {() => Promise<T>} work */
async function timed(step, work) {
  const began = performance.now();
  const result = await work();
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(8)} s  ${step}`);
  return result;
}

/** @param {string} url @param {string[]} words */
async function ttt(url, ...words) {
  const { code, output } = await attempt(process.execPath, ['dist/bundle/ttt.js', ...words], {
    env: { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: folder },
    quiet: true,
  });
  if (code !== 0) throw new Error(output);
  return output;
}

await ensureBuilt({ parts: ['server'] });
const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-drill-'));
const file = join(folder, 'drill.dump');
const source = await startPostgres({ system: true });
const target = await startPostgres();
try {
  await ttt(source.url, 'migrate');
  await timed(`to make ${games} games`, () => query(source.url, FILL));
  const players = await query(source.url, `SELECT id FROM players LIMIT ${PLAYERS_AT_A_TIME}`);

  /** @type {string[]} */
  const acknowledged = [];
  let playing = true;
  const load = players.map(async ({ id }) => {
    const client = new pg.Client(source.url);
    await client.connect();
    while (playing) acknowledged.push((await client.query(COUNT, [id])).rows[0].id);
    await client.end();
  });
  while (acknowledged.length < 100) await new Promise((later) => setTimeout(later, 10));
  const before = [...acknowledged];
  await timed('to back up, while games are counted', () => ttt(source.url, 'backup', file));
  playing = false;
  await Promise.all(load);
  console.log(`${String(acknowledged.length - before.length).padStart(8)}    games were counted meanwhile`);
  console.log(`${(statSync(file).size / 1e6).toFixed(0).padStart(8)} MB of backup`);

  await timed('to restore', () => ttt(target.url, 'restore', file, '--reason', 'A drill'));
  const found = await query(target.url, 'SELECT 1 FROM games WHERE id = ANY($1)', [before]);
  if (found.length !== before.length) throw new Error(`${before.length - found.length} acknowledged games are lost`);
  const said = await timed('to recount every player', () => ttt(target.url, 'doctor', '--full'));
  console.log(said);
} finally {
  await source.stop();
  await target.stop();
  rmSync(folder, { recursive: true });
}
