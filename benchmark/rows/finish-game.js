/**
 * A finished game as the page sends it, beside the same work on Fastify and on Apollo Server, and beside PostGraphile's
 * insert.
 */
import { compare } from '../comparison.js';
import { playGames } from '../games.js';
import { bearer, finishGame } from '../operations.js';
import { tokensOf } from '../product.js';

const CREATE = `mutation Create($result: ResultInput!) {
  createResult(input: { result: $result }) { result { rowId playerId difficulty result finishedAt } }
}`;
const FINISH = `mutation Finish($ticket: String!, $squares: [Int!]!) {
  finishGame(ticket: $ticket, squares: $squares) {
    game { id difficulty result seed finishedAt moves { mark square } }
    stats { score winStreak wins losses draws easyWins mediumWins hardWins }
  }
}`;
const JSON_TYPE = { 'content-type': 'application/json' };

/** @type {import('../report.js').Row} */
export default {
  name: 'finish-game',
  async measure(bench) {
    const { product, peers, players } = await bench.stage();
    const ours = tokensOf(players, product.signer.accessToken);
    const theirs = tokensOf(players, peers.accessToken);
    let next = 0;
    const take = (/** @type {number} */ wanted) => Array.from({ length: wanted }, () => next++ % players.length);
    const games = async (/** @type {number[]} */ taken) =>
      playGames(
        product.signer,
        taken.map((at) => /** @type {import('../product.js').SignedIn} */ (players[at])),
      );

    const finish = {
      name: 'finishGame',
      server: product,
      expect: '"GameCounted"',
      async prepare(/** @type {number} */ wanted) {
        const taken = take(wanted);
        const [tokens, unsent] = [await ours(), await games(taken)];
        return unsent.map(({ token, squares }, at) => finishGame(tokens[taken[at] ?? 0] ?? '', token, squares));
      },
    };
    const onFastify = (/** @type {string} */ name, /** @type {import('../processes.js').Served} */ server) => ({
      name,
      server,
      expect: '"stats":{"score":',
      async prepare(/** @type {number} */ wanted) {
        const taken = take(wanted);
        const tokens = await theirs();
        return (await games(taken)).map((game, at) => ({
          method: /** @type {const} */ ('POST'),
          path: '/games',
          headers: { ...JSON_TYPE, ...bearer(tokens[taken[at] ?? 0] ?? '') },
          body: JSON.stringify({ ticket: peers.ticket(game), squares: game.squares }),
        }));
      },
    });
    const onApollo = {
      name: 'Apollo Server, verified tokens cached',
      server: await peers.apolloWithCache(),
      expect: '"score":',
      async prepare(/** @type {number} */ wanted) {
        const taken = take(wanted);
        const tokens = await theirs();
        return (await games(taken)).map((game, at) => ({
          method: /** @type {const} */ ('POST'),
          path: '/graphql',
          headers: { ...JSON_TYPE, ...bearer(tokens[taken[at] ?? 0] ?? '') },
          body: JSON.stringify({
            query: FINISH,
            operationName: 'Finish',
            variables: { ticket: peers.ticket(game), squares: game.squares },
          }),
        }));
      },
    };
    const insert = {
      name: 'PostGraphile',
      server: await peers.postgraphile(),
      expect: '"rowId":"',
      prepare: (/** @type {number} */ wanted) =>
        take(wanted).map((at) => ({
          method: /** @type {const} */ ('POST'),
          path: '/graphql',
          headers: JSON_TYPE,
          body: JSON.stringify({
            query: CREATE,
            operationName: 'Create',
            variables: { result: { playerId: players[at]?.playerId, difficulty: 'easy', result: 'win' } },
          }),
        })),
    };
    const contenders = [
      finish,
      onFastify('Fastify', await peers.fastify()),
      onFastify('Fastify, verified tokens cached', await peers.fastifyWithCache()),
      insert,
      onApollo,
    ];
    return compare(bench, contenders, [
      { work: '`finishGame` as the page sends it / the same work on Fastify', ours: 0, peer: 1, atLeast: 1.3 },
      { work: '`finishGame` / the same on Fastify with a cache of verified tokens', ours: 0, peer: 2 },
      { work: '`finishGame` / PostGraphile’s unverified insert', ours: 0, peer: 3, atLeast: 1.5 },
      { work: '`finishGame` / the same on bare Apollo Server, tokens cached', ours: 0, peer: 4 },
      { work: 'Bare Apollo Server, tokens cached / the same work on Fastify', ours: 4, peer: 1 },
    ]);
  },
};
