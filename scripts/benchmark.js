/**
 * `npm run benchmark`: the time of a standing with a thousand and with a million players, at the top, at the last exact
 * place and in the middle, beside counting the players; the worst case, a million players with one score; and games of
 * players with the same score (see benchmark-scores.js). On a shared machine, compare the ratios.
 */
import './node-version.js';
import pg from 'pg';
import { benchmarkScores } from './benchmark-scores.js';
import { ensureBuilt } from './build.js';
import { ensurePackages } from './install.js';
import { startPostgres } from './postgres.js';

await ensurePackages();
await ensureBuilt({ parts: ['server'] });
const built = (/** @type {string} */ path) => import(new URL(`../dist/server/${path}`, import.meta.url).href);
const { readEnv } = await built('env.js');
const { databaseOptions, openDatabase } = await built('database/data-source.js');
const { LEADERS, STANDING } = await built('leaderboard/leaderboard.service.js');

const RUNS = 200;
const COUNT_OF_PLAYERS = `
  SELECT 1 + count(*) FILTER (WHERE score > $1) AS rank, count(*) AS players
  FROM player_stats WHERE wins + losses + draws > 0`;
/** The player after the first $1 players of the leaderboard. */
const PLAYER_AT = `
  SELECT player_id AS id, score FROM player_stats WHERE wins + losses + draws > 0
  ORDER BY score DESC, wins DESC, losses, reached_at, player_id OFFSET $1 LIMIT 1`;
const FROM_MANY_SCORES = 'floor(-ln(1 - random()) * 300)::integer AS wins, floor(random() * 100)::integer AS losses';
const ONE_SCORE = '1 AS wins, 0 AS losses';

const migrate = async (/** @type {string} */ url) => {
  await (await openDatabase(await databaseOptions(readEnv({ DATABASE_URL: url })))).destroy();
};

await benchmarkScores(migrate, { commitMs: 0 });
await benchmarkScores(migrate, { commitMs: 5 });

const postgres = await startPostgres();
const client = new pg.Client(postgres.url);
try {
  await migrate(postgres.url);
  await client.connect();
  for (const [players, results] of /** @type {const} */ ([
    [1_000, FROM_MANY_SCORES],
    [1_000_000, FROM_MANY_SCORES],
    [1_000_000, ONE_SCORE],
  ])) {
    await fill(players, results);
    const { rows } = await client.query('SELECT count(*)::integer AS scores FROM score_totals');
    console.log(`${players.toLocaleString('en')} players with ${rows[0].scores} different scores`);
    for (const [who, before] of /** @type {const} */ ([
      ['the first', 0],
      ['the last of the first 1,000', players === 1_000 ? 900 : 999],
      ['one in the middle', players / 2],
    ])) {
      const [player] = (await client.query(PLAYER_AT, [before])).rows;
      const standing = await median(STANDING, [player.id]);
      console.log(`  standing of ${who.padEnd(28)} ${standing.toFixed(2)} ms`);
    }
    const [player] = (await client.query(PLAYER_AT, [players / 2])).rows;
    const count = await median(COUNT_OF_PLAYERS, [player.score], players > 10_000 ? 10 : RUNS);
    const top = await median(LEADERS, [10]);
    console.log(`  standing by counting players             ${count.toFixed(2)} ms`);
    console.log(`  top ten                                  ${top.toFixed(2)} ms`);
  }
} finally {
  await client.end();
  await postgres.stop();
}

/** Fills the database. Realistic scores are mostly near zero, with a few in the thousands. */
async function fill(/** @type {number} */ players, /** @type {string} */ results) {
  await client.query('TRUNCATE players, score_totals, score_changes CASCADE');
  await client.query(
    `INSERT INTO players (name, provider, created_at)
     SELECT 'Player ' || n, 'google', now() FROM generate_series(1, $1::integer) n`,
    [players],
  );
  await client.query(
    `INSERT INTO player_stats (player_id, score, wins, losses, easy_wins, reached_at)
     SELECT id, wins - losses, wins, losses, wins, now() FROM (
       SELECT id, ${results} FROM players
     ) AS made WHERE wins + losses > 0`,
  );
  await client.query('INSERT INTO score_totals SELECT score, count(*) FROM player_stats GROUP BY score');
  await client.query('VACUUM ANALYZE player_stats, score_totals, score_changes, players');
}

async function median(/** @type {string} */ sql, /** @type {unknown[]} */ values, runs = RUNS) {
  const times = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await client.query(sql, values);
    times.push(performance.now() - start);
  }
  return /** @type {number} */ (times.sort((one, other) => one - other)[Math.floor(runs / 2)]);
}
