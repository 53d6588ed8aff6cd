/**
 * `npm run sizes`: how many bytes of disk each kind of row takes with its indexes, and of a backup, in a new PostgreSQL.
 * `-- 1000000` fills it with so many games (default: 200,000), twenty of each player.
 */
import './machine/node-version.js';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { ensureBuilt } from './build/ensure-built.js';
import { ensurePackages } from './machine/install.js';
import { startPostgres, systemPrograms } from './machine/postgres.js';
import { ROOT } from './machine/run.js';

const games = Number(process.argv[2] ?? 200_000);

/** Ids are random, and so is the order in which rows come. */
const FILL = [
  `CREATE TEMP TABLE made AS SELECT gen_random_uuid() AS id, n FROM generate_series(1, $1::integer / 20) AS n`,
  `INSERT INTO players (id, name, email, picture, provider, created_at)
   SELECT id, 'Player number ' || n, 'player' || n || '@example.org',
     'https://lh3.googleusercontent.com/a/' || repeat('x', 60), 'google', now() FROM made`,
  `INSERT INTO identities (issuer, subject, player_id, created_at)
   SELECT 'https://accounts.google.com', '1000000000' || lpad(n::text, 11, '0'), id, now() FROM made`,
  `INSERT INTO player_stats (player_id, score, reached_at, last_game_at) SELECT id, n % 500, now(), now() FROM made`,
  `INSERT INTO games (id, player_id, number, source, difficulty, result, bonus, points, seed, moves, started_at, finished_at)
   SELECT gen_random_uuid(), id, number, 'verified', 'medium', 'win', false, 1, md5(random()::text),
     (ARRAY[4, 0, 2, 6, 8, 1, 3, 5, 7])[:5 + number % 5], at - interval '20 seconds', at
   FROM (SELECT id, number, now() - random() * interval '90 days' AS at FROM made, generate_series(1, 20) AS number ORDER BY at) AS played`,
  `INSERT INTO player_weeks (player_id, week, score, wins, losses, draws, reached_at)
   SELECT id, '2026-01-05'::date + 7 * week, 5, 6, 1, 3, now() FROM made, generate_series(1, 10) AS week ORDER BY week, random()`,
  `INSERT INTO challenge_attempts (player_id, day, run_start, games, started_at, finished, closed, counted)
   SELECT id, '2026-01-05'::date + day, '2026-01-06', array_fill('4026813'::text, ARRAY[5]), array_fill(now(), ARRAY[5]), 5, true, 5
   FROM made, generate_series(1, 10) AS day ORDER BY day, random()`,
];
/** A game changes the sums, and a vacuum comes after one row in ten. */
const PLAY = [
  'UPDATE player_stats SET score = score + 1, reached_at = now(), version = version + 1 WHERE random() < 0.1',
  'UPDATE player_weeks SET score = score + 1, reached_at = now() WHERE random() < 0.1',
  'VACUUM ANALYZE player_stats, player_weeks',
];
const ROWS = {
  game: ['games'],
  player: ['players', 'identities', 'player_stats'],
  'week of a player': ['player_weeks'],
  attempt: ['challenge_attempts'],
};

await ensurePackages();
await ensureBuilt({ parts: ['server'] });
const postgres = await startPostgres({ system: true });
const client = new pg.Client(postgres.url);
try {
  const env = { ...process.env, DATABASE_URL: postgres.url };
  execFileSync(process.execPath, [join(ROOT, 'dist/bundle/ttt.js'), 'migrate'], { env });
  await client.connect();
  for (const sql of FILL) await client.query(sql, sql.includes('$1') ? [games] : []);
  for (let round = 0; round < 20; round++) for (const sql of PLAY) await client.query(sql);
  const sizeOf = async (/** @type {string[]} */ tables) => {
    const { rows } = await client.query(
      `SELECT sum(pg_total_relation_size(name::regclass))::float8 AS size FROM unnest($1::text[]) AS name`,
      [tables],
    );
    const { rows: counted } = await client.query(`SELECT count(*)::integer AS count FROM ${tables[0]}`);
    return Math.round(rows[0].size / counted[0].count);
  };
  for (const [row, tables] of Object.entries(ROWS)) console.log(`${row}: ${await sizeOf(tables)} bytes`);
  const dump = ['--format=custom', '--dbname', postgres.url];
  const programs = systemPrograms();
  if (programs) {
    const file = execFileSync(join(programs, 'pg_dump'), [...dump, '--table=games'], { maxBuffer: 2 ** 31 - 1 });
    console.log(`game in a backup: ${Math.round(file.length / games)} bytes`);
  }
} finally {
  await client.end();
  await postgres.stop();
}
