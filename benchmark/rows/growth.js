/** The same requests with a thousand players and with very many, in two databases at the same time. */
import { playGames } from '../games.js';
import { count, ms, verdict } from '../numbers.js';
import { finishGame, myStanding } from '../operations.js';
import { startProduct } from '../product.js';
import { alternate } from '../rounds.js';
import { fill, NEAR_ZERO, somePlayers, SPREAD } from '../tables.js';

const FEW = 1_000;
const AT_MOST = 1.15;
/** So many that most requests meet a player whose rows no earlier request has read. */
const ASKED = 3_000;

/** @type {import('../report.js').Row} */
export const growth = { name: 'growth', measure: (bench) => grow(bench, SPREAD, 'scores from −100 to thousands') };

/** @type {import('../report.js').Row} */
export const growthNearZero = {
  name: 'growth-near-zero',
  measure: (bench) => grow(bench, NEAR_ZERO, 'most scores near 0'),
};

/** @param {import('../bench.js').Bench} bench @param {string} results @param {string} scores */
async function grow({ database, atEnd, load, sizes }, results, scores) {
  const options = { rounds: sizes.rounds, warmUp: sizes.warmUp, connections: 1 };
  const servers = [];
  for (const players of [FEW, sizes.manyPlayers]) {
    const { url, client } = await database();
    await fill(client, players, results);
    const asked = await somePlayers(client, Math.min(ASKED, players));
    const product = await startProduct(url);
    atEnd(product.stop);
    servers.push(requestsOf(product, asked));
  }
  const lines = [];
  for (const { work, prepare, expect } of /** @type {const} */ ([
    { work: '`finishGame`', prepare: 'finish', expect: '"GameCounted"' },
    { work: 'REST top 10', prepare: 'topTen', expect: '"total_games":' },
    { work: '`myStanding`', prepare: 'standing', expect: '"rank":' },
  ])) {
    const contenders = servers.map((server) => ({
      name: work,
      server: server.product,
      expect,
      prepare: server[prepare],
    }));
    const [few, many] = await alternate(load, contenders, options);
    if (!few || !many) throw new Error('A server has no figures.');
    const ratio = many.p50 / few.p50;
    lines.push({
      table: 'growth',
      cells: [
        `${work}, ${scores}`,
        `${count(FEW)} to ${count(sizes.manyPlayers)}`,
        ratio.toFixed(2),
        `≤ ${AT_MOST}: ${verdict(ratio, { atMost: AT_MOST })}`,
        ...[few, many].map(({ p50, p99 }) => `${ms(p50)}, ${ms(p99)}`),
      ],
    });
  }
  return lines;
}

/** @param {import('../product.js').Product} product @param {import('../product.js').SignedIn[]} players */
function requestsOf(product, players) {
  let next = 0;
  /** The tokens are new for each round, so that a long row outlives them. */
  const some = async (/** @type {number} */ wanted) => {
    const taken = Array.from({ length: wanted }, () => next++ % players.length).map(
      (at) => /** @type {import('../product.js').SignedIn} */ (players[at]),
    );
    return { taken, tokens: await Promise.all(taken.map(product.signer.accessToken)) };
  };
  return {
    product,
    async finish(/** @type {number} */ wanted) {
      const { taken, tokens } = await some(wanted);
      const games = await playGames(product.signer, taken);
      return games.map(({ token, squares }, at) => finishGame(tokens[at] ?? '', token, squares));
    },
    topTen: (/** @type {number} */ wanted) =>
      Array.from({ length: wanted }, () => ({
        method: /** @type {const} */ ('GET'),
        path: '/api/leaderboard?limit=10',
      })),
    standing: async (/** @type {number} */ wanted) => (await some(wanted)).tokens.map(myStanding),
  };
}
