/** A reported result over REST, the top ten over REST and GraphQL, a player's own stats, the page and a file of it. */
import { compare } from '../measure/comparison.js';
import { operation, post } from '../measure/product.js';

/**
 * @typedef {import('../measure/bench.js').Side} Side
 * @typedef {import('../measure/load.js').Request} Request
 * @typedef {import('../measure/processes.js').Served} Served
 */

const CONVENTIONAL = 'on the conventional stack';
/** What the page selects. */
const TOP_TEN = '{ leaderboard(limit: 10) { user_id name picture score wins losses draws total_games } }';
const STATS = '{ me { id stats { score winStreak wins losses draws easyWins mediumWins hardWins } } }';

const get = (/** @type {string} */ path) => /** @type {Request} */ ({ method: 'GET', path });

/**
 * @param {string} name
 * @param {number} atLeast
 * @param {Served} server
 * @param {string} expect
 * @param {(at: number, token: string) => Request} request   of a player, by the index
 * @param {Pick<Side, 'take' | 'tokens'>} players
 * @returns {import('../measure/rounds.js').Contender}
 */
const contender = (name, atLeast, server, expect, request, { take, tokens }) => ({
  ...{ name, atLeast, expect },
  servers: [server],
  async prepare(wanted) {
    const all = await tokens();
    return take(wanted).map((at) => request(at, all[at] ?? ''));
  },
});

/** @type {(side: Side, expect: string, request: (at: number, token: string) => Request) => import('../measure/rounds.js').Contender} */
const on = (side, expect, request) => contender(`on ${side.name}`, 0.97, side.server, expect, request, side);

/** @type {import('../measure/report.js').Row} */
export const restPost = {
  name: 'rest-post',
  async measure(bench) {
    const { now, then, peers } = await bench.stage();
    const report =
      (/** @type {string} */ path, /** @type {Side} */ { players }) =>
      (/** @type {number} */ at, /** @type {string} */ token) =>
        post(path, { userId: players[at]?.playerId, result: 'win', difficulty: 'easy' }, token);
    const ours = (/** @type {Side} */ side) => on(side, '"score":', report('/api/player/stats', side));
    const [fastify, conventional] = [await peers.fastify(), await peers.conventional()];
    return compare(bench, 'REST POST', [
      ours(now),
      contender('the same writes on Fastify', 0.6, fastify, '"score":', report('/stats', now), { ...now, ...peers }),
      contender(CONVENTIONAL, 6.5, conventional, '"score":', report('/api/player/stats', now), {
        ...now,
        tokens: peers.conventionalTokens,
      }),
      ours(then),
    ]);
  },
};

/** @type {import('../measure/report.js').Row} */
export const topTen = {
  name: 'top-ten',
  async measure(bench) {
    const { now, then, peers } = await bench.stage();
    const rest = (/** @type {Side} */ side) => on(side, '"total_games":', () => get('/api/leaderboard?limit=10'));
    const graphql = (/** @type {Side} */ side) => {
      const request = operation(side.modules, 'Leaderboard', { limit: 10 });
      return on(side, '"totalGames":', () => request);
    };
    const conventional = (/** @type {number} */ atLeast, /** @type {Request} */ request) =>
      contender(CONVENTIONAL, atLeast, server, '"total_games":', () => request, now);
    const [fastify, server] = [await peers.fastify(), await peers.conventional()];
    return [
      ...(await compare(bench, 'REST top 10', [
        rest(now),
        contender('the same on Fastify', 2.4, fastify, '"total_games":', () => get('/leaderboard?limit=10'), now),
        conventional(4.4, get('/api/leaderboard?limit=10')),
        rest(then),
      ])),
      ...(await compare(bench, 'GraphQL top 10', [
        graphql(now),
        contender('the same on Fastify', 1, fastify, '"total_games":', () => get('/leaderboard?limit=10'), now),
        conventional(3.3, post('/graphql', { query: TOP_TEN })),
        graphql(then),
      ])),
    ];
  },
};

/** Nothing compares with it: it is about this commit and an earlier one. @type {import('../measure/report.js').Row} */
export const pages = {
  name: 'pages',
  async measure(bench) {
    const { now, then } = await bench.stage();
    const lines = [];
    for (const [path, expect] of /** @type {const} */ ([
      ['/', '<!doctype html>'],
      ['/favicon.svg', '<svg'],
    ])) {
      const ours = (/** @type {Side} */ side) => on(side, expect, () => get(path));
      lines.push(...(await compare(bench, `GET ${path}`, [ours(now), ours(then)])));
    }
    return lines;
  },
};

/** @type {import('../measure/report.js').Row} */
export const ownStats = {
  name: 'my-stats',
  async measure(bench) {
    const { now, then, peers } = await bench.stage();
    const ours = (/** @type {Side} */ side) =>
      on(side, '"winStreak":', (_at, token) => operation(side.modules, 'MyStats', {}, token));
    const request = (/** @type {number} */ _at, /** @type {string} */ token) =>
      post('/graphql', { query: STATS }, token);
    const tokens = peers.conventionalTokens;
    const server = await peers.conventional();
    const conventional = contender(CONVENTIONAL, 6, server, '"winStreak":', request, { ...now, tokens });
    const own = (/** @type {number} */ _at, /** @type {string} */ token) => ({
      ...get('/stats'),
      headers: { authorization: `Bearer ${token}` },
    });
    const fastify = contender('the same on Fastify', 1, await peers.fastify(), '"winStreak":', own, {
      ...now,
      ...peers,
    });
    return compare(bench, 'Own stats', [ours(now), fastify, conventional, ours(then)]);
  },
};
