/** A finished game as the page sends it, beside the same work on Fastify, and on two servers of one machine. */
import { compare } from '../comparison.js';
import { operation, post } from '../product.js';

/** @type {(side: import('../bench.js').Side, name?: string) => import('../rounds.js').Contender} */
const on = (side, name = `on ${side.name}`) => ({
  name,
  atLeast: 0.97,
  servers: [side.server],
  expect: '"GameCounted"',
  async prepare(wanted) {
    const { modules, players, tokens, take } = side;
    const taken = take(wanted);
    const [all, games] = [await tokens(), modules.playGames(taken.map((at) => players[at] ?? raise()))];
    return games.map(({ token: ticket, squares }, at) =>
      operation(modules, 'FinishGame', { ticket, squares }, all[taken[at] ?? 0]),
    );
  },
});

/** @type {(name: string, settings: Record<string, string>, commit: string, atLeast: number) => import('../report.js').Row} */
const finishGame = (name, settings, commit, atLeast) => ({
  name,
  settings,
  async measure(bench) {
    const { now, then, peers } = await bench.stage();
    const fastify = /** @type {import('../rounds.js').Contender} */ ({
      name: 'the same work on Fastify',
      atLeast,
      servers: [await peers.fastify()],
      expect: '"stats":{"score":',
      async prepare(wanted) {
        const taken = now.take(wanted);
        const [tokens, games] = [
          await peers.tokens(),
          now.modules.playGames(taken.map((at) => now.players[at] ?? raise())),
        ];
        return games.map((game, at) =>
          post('/games', { ticket: peers.ticket(game), squares: game.squares }, tokens[taken[at] ?? 0]),
        );
      },
    });
    return compare(bench, `\`finishGame\`, ${commit}`, [on(now), fastify, on(then)]);
  },
});

export const freeCommits = finishGame('finish-game', {}, 'free commit', 1);

/** As on a disk. PostgreSQL waits for other commits only where it flushes to the disk. */
export const slowCommits = finishGame(
  'commits-of-5-ms',
  { fsync: 'on', commit_delay: '5000', commit_siblings: '0' },
  'a commit of 5 ms',
  1.5,
);

/** @type {import('../report.js').Row} */
export const servers = {
  name: 'servers',
  async measure(bench) {
    const { now, then } = await bench.stage();
    const two = async (/** @type {import('../bench.js').Side} */ side) => ({
      ...on(side, `on two servers of ${side.name}`),
      servers: [side.server, await side.start()],
    });
    const contenders = [await two(now), { ...on(now, 'on one server'), atLeast: 0.9 }, await two(then)];
    return compare(bench, '`finishGame` on two servers', contenders);
  },
};

/** @returns {never} */
function raise() {
  throw new Error('There are no players.');
}
