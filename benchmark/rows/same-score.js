/**
 * Games of players who all go from 0 to 1, beside games of players with a score of their own: counting scores must not
 * make players wait for each other. The writer alone, without a server, with 64 games under way at once.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { commitOf } from '../bench.js';
import { count, median, verdict } from '../numbers.js';
import { built } from '../product.js';
import { fill, somePlayers } from '../tables.js';

const CONCURRENT = 64;
const AT_LEAST = 0.9;

const FROM_ZERO = '1 AS wins, 1 AS losses';
const APART = '1 + (row_number() OVER ())::integer * 3 AS wins, 0 AS losses';
const LOCK_LIMIT = 5_000;

/** @param {number} commitMs @returns {import('../report.js').Row} */
export const sameScore = (commitMs) => ({
  name: commitMs === 0 ? 'same-score' : `same-score-commits-of-${commitMs}-ms`,
  settings: commitMs === 0 ? {} : commitOf(commitMs),
  async measure({ database, atEnd, sizes: { rounds, requests } }) {
    const { url } = await database();
    const pool = new pg.Pool({ connectionString: url, max: CONCURRENT });
    atEnd(() => pool.end());
    const { same, apart } = await inTurn(pool, rounds, Math.ceil(requests / CONCURRENT) * CONCURRENT);
    const work = `${CONCURRENT} players from 0 to 1 / players with scores of their own`;
    const ratio = same / apart;
    return [
      {
        table: 'same-score',
        cells: [
          `${work}${commitMs === 0 ? '' : `, a commit of ${commitMs} ms`}`,
          ratio.toFixed(2),
          `≥ ${AT_LEAST}: ${verdict(ratio, { atLeast: AT_LEAST })}`,
          `${count(same)} / s`,
          `${count(apart)} / s`,
        ],
      },
    ];
  },
});

/** @param {pg.Pool} pool @param {number} rounds @param {number} games */
async function inTurn(pool, rounds, games) {
  await Promise.all(Array.from({ length: CONCURRENT }, () => pool.query('SELECT pg_sleep(0.1)')));
  /** @type {Record<string, number[]>} */
  const rates = { [FROM_ZERO]: [], [APART]: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const results of round % 2 === 0 ? [FROM_ZERO, APART] : [APART, FROM_ZERO]) {
      const rate = await gamesPerSecond(pool, games, results);
      if (round > 0) rates[results]?.push(rate);
    }
  }
  return { same: median(rates[FROM_ZERO] ?? []), apart: median(rates[APART] ?? []) };
}

/** @param {pg.Pool} pool @param {number} games @param {string} results */
async function gamesPerSecond(pool, games, results) {
  const client = await pool.connect();
  await fill(client, games, results);
  const players = await somePlayers(client, games);
  client.release();
  const { countGames } = await built('server/counting/count-games.js');
  const { withName } = await built('server/database/pool/named-statements.js');
  const database = {
    query: async (/** @type {string} */ text, /** @type {unknown[]} */ values) =>
      (await pool.query(withName(text, values) ?? { text, values })).rows,
  };
  const began = performance.now();
  const play = async () => {
    for (let player = players.pop(); player; player = players.pop()) {
      const now = new Date();
      const game = {
        ...player,
        id: randomUUID(),
        source: 'reported',
        difficulty: 'easy',
        result: 'win',
        now,
        idFrom: now,
      };
      await countGames(database, [{ ...game, gamesPerMinute: 0, gamesPerDay: 0 }], LOCK_LIMIT);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, play));
  const seconds = (performance.now() - began) / 1_000;
  return games / seconds;
}
