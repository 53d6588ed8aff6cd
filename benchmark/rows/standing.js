/**
 * The statements behind a standing with a thousand and with very many players, at the top, at the last exact place and in
 * the middle, beside counting the players and the top ten; and where all have one score, its worst case.
 */
import { count, median, ms } from '../numbers.js';
import { built } from '../product.js';
import { fill, ONE_SCORE, SPREAD } from '../tables.js';

const RUNS = 200;
const MANY = 1_000_000;
const COUNT_OF_PLAYERS = `
  SELECT 1 + count(*) FILTER (WHERE score > $1) AS rank, count(*) AS players
  FROM player_stats WHERE wins + losses + draws > 0`;
/** In the order of the leaderboard; $1 is how many stand before. */
const AT = `
  SELECT player_id AS id, score FROM player_stats WHERE wins + losses + draws > 0
  ORDER BY score DESC, wins DESC, losses, reached_at, player_id OFFSET $1 LIMIT 1`;

/** @type {import('../report.js').Row} */
export default {
  name: 'standing',
  async measure({ database, sizes: { manyPlayers } }) {
    const { LEADERS } = await built('server/leaderboard/leaderboard.service.js');
    const { PLACES, SCORES } = await built('server/leaderboard/standings.service.js');
    const { client } = await database();
    const timeOf = async (/** @type {() => Promise<unknown>} */ work, runs = RUNS) => {
      const times = [];
      for (let run = 0; run < runs; run++) {
        const began = performance.now();
        await work();
        times.push(performance.now() - began);
      }
      return ms(median(times));
    };
    const time = (/** @type {string} */ sql, /** @type {unknown[]} */ values, runs = RUNS) =>
      timeOf(() => client.query(sql, values), runs);
    // Behind the first places, the rank comes from the histogram in memory.
    const standing = async (/** @type {string} */ id, /** @type {boolean} */ isNear) => {
      const [own] = (await client.query(String(SCORES), [[id]])).rows;
      if (isNear) await client.query(PLACES, [[id], own.score]);
    };
    const lines = [];
    const many = Math.min(manyPlayers, MANY);
    for (const [players, results, scores] of /** @type {const} */ ([
      [1_000, SPREAD, 'many scores'],
      [many, SPREAD, 'many scores'],
      [many, ONE_SCORE, 'one score'],
    ])) {
      await fill(client, players, results);
      const cells = [];
      const middle = Math.floor(players / 2);
      for (const before of [0, Math.min(999, players - 1), middle]) {
        const [player] = (await client.query(AT, [before])).rows;
        cells.push(await timeOf(() => standing(player.id, before < 1_000 || results === ONE_SCORE)));
      }
      const [player] = (await client.query(AT, [middle])).rows;
      cells.push(await time(COUNT_OF_PLAYERS, [player.score], players > 10_000 ? 10 : RUNS));
      cells.push(await time(LEADERS, [10]));
      lines.push({ table: 'standing', cells: [`${count(players)} players, ${scores}`, ...cells] });
    }
    return lines;
  },
};
