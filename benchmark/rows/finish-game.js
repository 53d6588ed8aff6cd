/** A finished game as the page sends it, beside the same work on Fastify and on the conventional stack. */
import { compare } from '../measure/comparison.js';
import { operation, post } from '../measure/product.js';

/** What the page selects. */
const FINISH_GAME = `mutation FinishGame($ticket: String!, $squares: [Int!]!) {
  finishGame(ticket: $ticket, squares: $squares) {
    game { id difficulty result seed finishedAt moves }
    stats { score winStreak wins losses draws easyWins mediumWins hardWins }
  }
}`;

/**
 * @typedef {import('../measure/bench.js').Side} Side
 * @typedef {import('../measure/product.js').Unsent} Unsent
 */

/**
 * @param {Pick<import('../measure/rounds.js').Contender, 'name' | 'atLeast' | 'servers' | 'expect'>} contender
 * @param {Side} side   whose players have played the games
 * @param {() => Promise<string[]>} tokensOf
 * @param {(game: Unsent, token: string) => import('../measure/load.js').Request} request
 * @returns {import('../measure/rounds.js').Contender}
 */
const contender = (contender, { modules, players, take }, tokensOf, request) => ({
  ...contender,
  async prepare(wanted) {
    const taken = take(wanted);
    const [tokens, games] = [await tokensOf(), modules.playGames(taken.map((at) => players[at] ?? raise()))];
    return games.map((game, at) => request(game, tokens[taken[at] ?? 0] ?? ''));
  },
});

/** @param {Side} side */
const on = (side) => {
  const { name, server, modules, tokens } = side;
  return contender(
    { name: `on ${name}`, atLeast: 0.97, servers: [server], expect: '"GameCounted"' },
    side,
    tokens,
    ({ token: ticket, squares }, token) => operation(modules, 'FinishGame', { ticket, squares }, token),
  );
};

/** @type {(name: string, settings: Record<string, string>, commit: string, atLeast: { fastify: number, conventional: number }) => import('../measure/report.js').Row} */
const finishGame = (name, settings, commit, atLeast) => ({
  name,
  settings,
  async measure(bench) {
    const { now, then, peers } = await bench.stage();
    const expect = '"stats":{"score":';
    const fastify = contender(
      { name: 'the same work on Fastify', atLeast: atLeast.fastify, servers: [await peers.fastify()], expect },
      now,
      peers.tokens,
      (game, token) => post('/games', { ticket: peers.ticket(game), squares: game.squares }, token),
    );
    const conventional = contender(
      {
        name: 'on the conventional stack',
        atLeast: atLeast.conventional,
        servers: [await peers.conventional()],
        expect,
      },
      now,
      peers.conventionalTokens,
      (game, token) => {
        const variables = { ticket: peers.ticket(game), squares: game.squares };
        return post('/graphql', { query: FINISH_GAME, variables }, token);
      },
    );
    return compare(bench, `\`finishGame\`, ${commit}`, [on(now), fastify, conventional, on(then)]);
  },
});

export const freeCommits = finishGame('finish-game', {}, 'free commit', { fastify: 1.15, conventional: 6.5 });

/** As on a disk. PostgreSQL waits for other commits only where it flushes to the disk. */
export const slowCommits = finishGame(
  'commits-of-5-ms',
  { fsync: 'on', commit_delay: '5000', commit_siblings: '0' },
  'a commit of 5 ms',
  { fastify: 1.5, conventional: 6.5 },
);

/** What a game costs beside a thousand times as many players. @type {import('../measure/report.js').Row} */
export const growth = {
  name: 'growth',
  async measure(bench) {
    const [now] = bench.revisions;
    const [few, many] = [await bench.sideOf(now, 1_000), await bench.sideOf(now, 1_000_000)];
    // A tenth more work at most.
    return compare(bench, '`finishGame`, 1,000,000 players', [
      on(many),
      { ...on(few), name: 'with 1,000', atLeast: 0.91 },
    ]);
  },
};

/** @returns {never} */
function raise() {
  throw new Error('There are no players.');
}
