/** A reported result over REST, the top ten over REST and GraphQL, and a player's own stats. */
import { compare } from '../comparison.js';
import { operation, post } from '../product.js';

/**
 * @typedef {import('../bench.js').Side} Side
 * @typedef {import('../load.js').Request} Request
 * @typedef {import('../processes.js').Served} Served
 */

const get = (/** @type {string} */ path) => /** @type {Request} */ ({ method: 'GET', path });

/**
 * @param {string} name
 * @param {number} atLeast
 * @param {Served} server
 * @param {string} expect
 * @param {(at: number, token: string) => Request} request   of a player, by the index
 * @param {Pick<Side, 'take' | 'tokens'>} players
 * @returns {import('../rounds.js').Contender}
 */
const contender = (name, atLeast, server, expect, request, { take, tokens }) => ({
  ...{ name, atLeast, expect },
  servers: [server],
  async prepare(wanted) {
    const all = await tokens();
    return take(wanted).map((at) => request(at, all[at] ?? ''));
  },
});

/** @type {(side: Side, expect: string, request: (at: number, token: string) => Request) => import('../rounds.js').Contender} */
const on = (side, expect, request) => contender(`on ${side.name}`, 0.97, side.server, expect, request, side);

/** @type {import('../report.js').Row} */
export const restPost = {
  name: 'rest-post',
  async measure(bench) {
    const { now, then, peers } = await bench.stage();
    const report =
      (/** @type {string} */ path, /** @type {Side} */ { players }) =>
      (/** @type {number} */ at, /** @type {string} */ token) =>
        post(path, { userId: players[at]?.playerId, result: 'win', difficulty: 'easy' }, token);
    const ours = (/** @type {Side} */ side) => on(side, '"score":', report('/api/player/stats', side));
    const fastify = await peers.fastify();
    return compare(bench, 'REST POST', [
      ours(now),
      contender('the same writes on Fastify', 0.9, fastify, '"score":', report('/stats', now), { ...now, ...peers }),
      ours(then),
    ]);
  },
};

/** @type {import('../report.js').Row} */
export const topTen = {
  name: 'top-ten',
  async measure(bench) {
    const { now, then, peers } = await bench.stage();
    const server = await peers.fastify();
    const fastify = (/** @type {string} */ name, /** @type {number} */ atLeast) =>
      contender(name, atLeast, server, '"total_games":', () => get('/leaderboard?limit=10'), now);
    const rest = (/** @type {Side} */ side) => on(side, '"total_games":', () => get('/api/leaderboard?limit=10'));
    const graphql = (/** @type {Side} */ side) => {
      const request = operation(side.modules, 'Leaderboard', { limit: 10 });
      return on(side, '"totalGames":', () => request);
    };
    return [
      ...(await compare(bench, 'REST top 10', [rest(now), fastify('the same on Fastify', 2), rest(then)])),
      ...(await compare(bench, 'GraphQL top 10', [graphql(now), fastify('REST on Fastify', 1), graphql(then)])),
    ];
  },
};

/** @type {import('../report.js').Row} */
export const ownStats = {
  name: 'my-stats',
  async measure(bench) {
    const { now, then, peers } = await bench.stage();
    const ours = (/** @type {Side} */ side) =>
      on(side, '"winStreak":', (_at, token) => operation(side.modules, 'MyStats', {}, token));
    const byId = (/** @type {number} */ at) => get(`/stats/${now.players[at]?.playerId}`);
    return compare(bench, 'Own stats', [
      ours(now),
      contender('stats by id, without a token, on Fastify', 0.7, await peers.fastify(), '"winStreak":', byId, now),
      ours(then),
    ]);
  },
};
