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

/**
 * @typedef {Awaited<ReturnType<import('../bench.js').Bench['stage']>>} Stage
 * @typedef {import('../rounds.js').Contender} Contender
 * @typedef {import('../processes.js').Served} Served
 * @typedef {ReturnType<typeof takeTurns>} Turns
 */

/** @type {import('../report.js').Row} */
export default {
  name: 'finish-game',
  async measure(bench) {
    const stage = await bench.stage();
    const { peers } = stage;
    const turns = takeTurns(stage);
    const onPeer = peerOn(stage, turns);
    const fastify = {
      expect: '"stats":{"score":',
      path: '/games',
      bodyOf: (/** @type {string} */ ticket, /** @type {number[]} */ squares) => ({ ticket, squares }),
    };
    const apollo = {
      expect: '"score":',
      path: '/graphql',
      bodyOf: (/** @type {string} */ ticket, /** @type {number[]} */ squares) => ({
        query: FINISH,
        operationName: 'Finish',
        variables: { ticket, squares },
      }),
    };
    const contenders = [
      ours(stage, turns),
      onPeer('Fastify', await peers.fastify(), fastify),
      onPeer('Fastify, verified tokens cached', await peers.fastifyWithCache(), fastify),
      insert(await peers.postgraphile(), stage, turns),
      onPeer('Apollo Server, verified tokens cached', await peers.apolloWithCache(), apollo),
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

/** The players take turns, in one order for all contenders. */
function takeTurns(/** @type {Stage} */ { product, players }) {
  let next = 0;
  return {
    take: (/** @type {number} */ wanted) => Array.from({ length: wanted }, () => next++ % players.length),
    games: (/** @type {number[]} */ taken) =>
      playGames(
        product.signer,
        taken.map((at) => /** @type {import('../product.js').SignedIn} */ (players[at])),
      ),
  };
}

/** @param {Stage} stage @param {Turns} turns @returns {Contender} */
function ours({ product, players }, { take, games }) {
  const tokensNow = tokensOf(players, product.signer.accessToken);
  return {
    name: 'finishGame',
    server: product,
    expect: '"GameCounted"',
    async prepare(wanted) {
      const taken = take(wanted);
      const [tokens, unsent] = [await tokensNow(), await games(taken)];
      return unsent.map(({ token, squares }, at) => finishGame(tokens[taken[at] ?? 0] ?? '', token, squares));
    },
  };
}

/**
 * The same work on servers with their own tokens and tickets.
 * @param {Stage} stage
 * @param {Turns} turns
 * @returns {(name: string, server: Served, request: { expect: string, path: string,
 *   bodyOf: (ticket: string, squares: number[]) => object }) => Contender}
 */
function peerOn({ peers, players }, { take, games }) {
  const tokensNow = tokensOf(players, peers.accessToken);
  return (name, server, { expect, path, bodyOf }) => ({
    name,
    server,
    expect,
    async prepare(wanted) {
      const taken = take(wanted);
      const tokens = await tokensNow();
      return (await games(taken)).map((game, at) => ({
        method: 'POST',
        path,
        headers: { ...JSON_TYPE, ...bearer(tokens[taken[at] ?? 0] ?? '') },
        body: JSON.stringify(bodyOf(peers.ticket(game), game.squares)),
      }));
    },
  });
}

/** @param {Served} server @param {Stage} stage @param {Turns} turns @returns {Contender} */
function insert(server, { players }, { take }) {
  return {
    name: 'PostGraphile',
    server,
    expect: '"rowId":"',
    prepare: (wanted) =>
      take(wanted).map((at) => ({
        method: 'POST',
        path: '/graphql',
        headers: JSON_TYPE,
        body: JSON.stringify({
          query: CREATE,
          operationName: 'Create',
          variables: { result: { playerId: players[at]?.playerId, difficulty: 'easy', result: 'win' } },
        }),
      })),
  };
}
