import { describe, expect, test } from '@jest/globals';
import {
  audit,
  deliver,
  inParallel,
  NOTHING_WRONG,
  playUnsent,
  shuffled,
  slowGames,
  transactionsOf,
  type Unsent,
} from '../support/load.js';
import { type Postgres, startPostgres } from '../support/postgres.js';
import { type Server, startServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

/** `ROUNDS=20 npm run test:drills -- crash` for the long run. */
const ROUNDS = Number(process.env.ROUNDS ?? 1);
const PLAYERS = 4;
const GAMES_EACH = 25;
const IN_FLIGHT = 16;
const AUTH_SECRET = 'the same secret for both servers';

async function play(server: Server): Promise<Unsent[]> {
  const games: Unsent[] = [];
  for (let player = 0; player < PLAYERS; player++) {
    games.push(...(await playUnsent(await aSignedInVisitor(server), GAMES_EACH)));
  }
  return games;
}

/** Sends all games twice, kills once in the middle, and retries until every game is answered. */
async function sendThroughCrash(games: Unsent[], servers: Server[], crash: () => Promise<void>): Promise<void> {
  const crashAt = Math.floor(games.length * (0.3 + Math.random()));
  let answered = 0;
  let crashed: Promise<void> | undefined;
  let retried = 0;
  await inParallel(shuffled([...games, ...games]), IN_FLIGHT, async (game) => {
    const { answer, tries } = await deliver(game, servers);
    expect(answer.__typename).toBe('GameCounted');
    retried += tries - 1;
    answered += 1;
    if (answered >= crashAt) crashed ??= crash();
  });
  await crashed;
  // Without a retry, the kill met no request and the round proves nothing.
  expect(retried).toBeGreaterThan(0);
}

/** Each round plays, sends through a crash, and finds every game counted once. */
async function rounds(servers: [Server, ...Server[]], crash: () => Promise<void>): Promise<void> {
  const [first] = servers;
  await slowGames(first);
  const all: Unsent[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const games = await play(first);
    all.push(...games);
    await Promise.all(servers.map((server) => server.moveClock(10_000)));
    await sendThroughCrash(games, servers, crash);
    expect(await audit(first, all)).toEqual(NOTHING_WRONG);
  }
  // Without games that share a transaction, the rounds prove nothing about such games.
  const { games, transactions } = await transactionsOf(first);
  expect(transactions).toBeLessThan(games);
}

describe(`keeps every acknowledged result once over ${ROUNDS} rounds of load`, () => {
  test('in which a server process is killed', async () => {
    const first = await startServer({ env: { AUTH_SECRET } });
    const { databaseUrl, origin: publicOrigin } = first;
    const second = await startServer({ databaseUrl, publicOrigin, env: { AUTH_SECRET } });
    try {
      await rounds([first, second], async () => {
        await second.kill();
        await second.restart();
      });
    } finally {
      await second.remove();
      await first.remove();
    }
  }, 900_000);

  test('in which PostgreSQL is killed', async () => {
    const postgres: Postgres = await startPostgres();
    const server = await startServer({ databaseUrl: postgres.url });
    try {
      await rounds([server], async () => {
        await postgres.kill('SIGKILL');
        // The backends end a moment later. Only then does the server lose its database under load.
        while ((await fetch(`${server.origin}/health/ready`)).ok);
        await postgres.restart();
      });
    } finally {
      await server.remove();
      await postgres.stop();
    }
  }, 900_000);

  test('in which the one process of an embedded database is killed', async () => {
    const server = await startServer({ embedded: true });
    try {
      let expected = 0;
      const player = await aSignedInVisitor(server);
      for (let round = 0; round < ROUNDS; round++) {
        await player.renew();
        const games = await playUnsent(player, GAMES_EACH);
        expected += games.length;
        await server.moveClock(10_000);
        await sendThroughCrash(games, [server], async () => {
          await server.kill();
          await server.restart();
        });
        const { data } = await player.graphql<{ me: { stats: Record<'wins' | 'losses' | 'draws', number> } }>(
          '{ me { stats { wins losses draws } } }',
        );
        const { wins, losses, draws } = data!.me.stats;
        expect(wins + losses + draws).toBe(expected);
      }
    } finally {
      await server.remove();
    }
  }, 900_000);
});
