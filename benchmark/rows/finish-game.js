/**
 * A finished game as the page sends it, beside the same work on Fastify and on Apollo Server, and beside PostGraphile's
 * insert.
 */
import { commitOf } from '../bench.js';
import { compare } from '../comparison.js';
import { playGames } from '../games.js';
import { ms, verdict } from '../numbers.js';
import { bearer, finishGame } from '../operations.js';
import { tokensOf } from '../product.js';
import { alternate } from '../rounds.js';

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

const GAMES_OF_PEERS = {
  expect: '"stats":{"score":',
  path: '/games',
  bodyOf: (/** @type {string} */ ticket, /** @type {number[]} */ squares) => ({ ticket, squares }),
};
const MUTATION_OF_PEERS = {
  expect: '"score":',
  path: '/graphql',
  bodyOf: (/** @type {string} */ ticket, /** @type {number[]} */ squares) => ({
    query: FINISH,
    operationName: 'Finish',
    variables: { ticket, squares },
  }),
};

/** Where a commit costs nothing. The peers' tables have keys, foreign keys and an index of the leaderboard. @type {import('../report.js').Row} */
export const finishGameRow = {
  name: 'finish-game',
  async measure(bench) {
    const stage = await bench.stage();
    const { peers } = stage;
    const turns = takeTurns(stage);
    const onPeer = peerOn(stage, turns);
    const earlier = await stage.startEarlier();
    const contenders = [
      ours(stage, turns),
      onPeer('Fastify', await peers.fastify(), GAMES_OF_PEERS),
      onPeer('Fastify, verified tokens cached', await peers.fastifyWithCache(), GAMES_OF_PEERS),
      insert(await peers.postgraphile(), stage, turns),
      onPeer('Apollo Server, verified tokens cached', await peers.apolloWithCache(), MUTATION_OF_PEERS),
      ours(stage, turns, earlier),
    ];
    return compare(bench, contenders, [
      {
        work: '`finishGame` as the page sends it / the same work on Fastify, minimal tables, free commit',
        ...{ ours: 0, peer: 1, atLeast: 1, cpuAtMost: 0.26 },
      },
      { work: '`finishGame` / the same on Fastify with a cache of verified tokens', ours: 0, peer: 2 },
      { work: '`finishGame` / PostGraphile’s unverified insert, free commit', ours: 0, peer: 3, atLeast: 1 },
      { work: '`finishGame` / the same on bare Apollo Server, tokens cached', ours: 0, peer: 4 },
      { work: 'Bare Apollo Server, tokens cached / the same work on Fastify', ours: 4, peer: 1 },
      { work: `\`finishGame\` / on ${earlier.name}`, ours: 0, peer: 5 },
    ]);
  },
};

/**
 * Where a commit takes as long as on a disk, or on a disk with a synchronous standby.
 * @param {number} commitMs
 * @param {{ fastify: number, postgraphile?: number }} goals
 * @returns {import('../report.js').Row}
 */
export const slowCommits = (commitMs, { fastify, postgraphile }) => ({
  name: `commits-of-${commitMs}-ms`,
  settings: commitOf(commitMs),
  async measure(bench) {
    const stage = await bench.stage();
    const turns = takeTurns(stage);
    const contenders = [
      ours(stage, turns),
      peerOn(stage, turns)('Fastify', await stage.peers.fastify(), GAMES_OF_PEERS),
      insert(await stage.peers.postgraphile(), stage, turns),
    ];
    const work = (/** @type {string} */ other) => `\`finishGame\` / ${other}, a commit of ${commitMs} ms`;
    return compare(bench, contenders, [
      { work: work('the same work on Fastify, minimal tables'), ours: 0, peer: 1, atLeast: fastify },
      { work: work('PostGraphile’s unverified insert'), ours: 0, peer: 2, atLeast: postgraphile },
    ]);
  },
});

/** The time of all statements for each of so many games, without this one. */
const IN_POSTGRES = `
  SELECT sum(total_exec_time)::float / $1 AS ms FROM pg_stat_statements
  WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query NOT LIKE '%pg_stat_statements%'`;
/** A game that meets no other: what a person waits for, and what PostgreSQL needs. @type {import('../report.js').Row} */
export const loneGame = {
  name: 'lone-game',
  // PostgreSQL itself times its statements.
  settings: { shared_preload_libraries: 'pg_stat_statements' },
  async measure(bench) {
    const { load, sizes } = bench;
    const stage = await bench.stage();
    const { client } = stage;
    const turns = takeTurns(stage);
    const earlier = await stage.startEarlier();
    const contenders = [ours(stage, turns), ours(stage, turns, earlier)];
    const options = { warmUp: sizes.warmUp, connections: 1 };
    const [now, then] = await alternate(load, contenders, { ...options, rounds: sizes.rounds });
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    await client.query('SELECT pg_stat_statements_reset()');
    await alternate(load, contenders.slice(0, 1), { ...options, rounds: 0 });
    const { rows } = await client.query(IN_POSTGRES, [sizes.warmUp]);
    if (!now || !then) throw new Error('A server has no figures.');
    const goal = (/** @type {number} */ value, /** @type {number} */ atMost) =>
      `≤ ${ms(atMost)}: ${verdict(value, { atMost })}`;
    return [
      {
        table: 'lone',
        cells: [
          ...[`${ms(now.p50)}, ${ms(now.p99)}`, goal(now.p50, 1.5), ms(rows[0].ms), goal(rows[0].ms, 0.25)],
          `${ms(then.p50)}, ${ms(then.p99)} (${earlier.name})`,
        ],
      },
    ];
  },
};

/** The players take turns, in one order for all contenders. */
export function takeTurns(/** @type {Stage} */ { product, players }) {
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

/** @param {Stage} stage @param {Turns} turns @param {Contender['server']} [server] @returns {Contender} */
export function ours({ product, players }, { take, games }, server = product) {
  const tokensNow = tokensOf(players, product.signer.accessToken);
  return {
    name: 'finishGame',
    server,
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
