/** Reads: the top ten over REST and GraphQL, a player's stats, and the health of the process. */
import { compare } from '../comparison.js';
import { leaderboard, myStats } from '../operations.js';
import { tokensOf } from '../product.js';

const repeat = (/** @type {import('../load.js').Request} */ request) => (/** @type {number} */ wanted) =>
  Array.from({ length: wanted }, () => request);
const get = (/** @type {string} */ path) => repeat({ method: 'GET', path });

/** @type {import('../report.js').Row} */
export const topTen = {
  name: 'top-ten',
  async measure(bench) {
    const { product, startEarlier, peers } = await bench.stage();
    const earlier = await startEarlier();
    const contenders = [
      { name: 'REST', server: product, expect: '"total_games":', prepare: get('/api/leaderboard?limit=10') },
      { name: 'GraphQL', server: product, expect: '"totalGames":', prepare: repeat(leaderboard()) },
      {
        name: 'Fastify',
        server: await peers.fastify(),
        expect: '"total_games":',
        prepare: get('/leaderboard?limit=10'),
      },
      { name: 'GraphQL, earlier', server: earlier, expect: '"totalGames":', prepare: repeat(leaderboard()) },
    ];
    return compare(bench, contenders, [
      { work: 'REST top 10 / the same on Fastify', ours: 0, peer: 2, atLeast: 2 },
      { work: 'GraphQL top 10 / REST on Fastify', ours: 1, peer: 2, atLeast: 1 },
      { work: `GraphQL top 10 / on ${earlier.name}`, ours: 1, peer: 3 },
    ]);
  },
};

/** @type {import('../report.js').Row} */
export const ownStats = {
  name: 'my-stats',
  async measure(bench) {
    const { product, startEarlier, peers, players } = await bench.stage();
    const earlier = await startEarlier();
    const tokensNow = tokensOf(players, product.signer.accessToken);
    const stats = {
      expect: '"winStreak":',
      async prepare(/** @type {number} */ wanted) {
        const tokens = await tokensNow();
        return Array.from({ length: wanted }, (_, at) => myStats(tokens[at % tokens.length] ?? ''));
      },
    };
    const contenders = [
      { name: 'myStats', server: product, ...stats },
      { name: 'myStats, earlier', server: earlier, ...stats },
      {
        name: 'Fastify',
        server: await peers.fastify(),
        expect: '"winStreak":',
        prepare: (/** @type {number} */ wanted) =>
          Array.from({ length: wanted }, (_, at) => ({
            method: /** @type {const} */ ('GET'),
            path: `/stats/${players[at % players.length]?.playerId}`,
          })),
      },
    ];
    return compare(bench, contenders, [
      { work: '`myStats` / stats by id, without a token, on Fastify', ours: 0, peer: 2, atLeast: 0.7 },
      { work: `\`myStats\` / on ${earlier.name}`, ours: 0, peer: 1 },
    ]);
  },
};

/** @type {import('../report.js').Row} */
export const health = {
  name: 'health',
  async measure(bench) {
    const { product, peers } = await bench.stage();
    const contenders = [
      { name: 'live', server: product, expect: '"live"', prepare: get('/health/live') },
      { name: 'node:http', server: await peers.nodeHttp(), expect: '"live"', prepare: get('/') },
    ];
    return compare(bench, contenders, [{ work: '`/health/live` / `node:http`', ours: 0, peer: 1, atLeast: 0.25 }]);
  },
};
