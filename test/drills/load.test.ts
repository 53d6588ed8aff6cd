import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { audit, deliver, inParallel, playUnsent, shuffled, type Unsent } from '../support/load.js';
import { query, type Server, startServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

const PLAYERS = 50;
const GAMES_EACH = 40;
const IN_FLIGHT = 64;
const AUTH_SECRET = 'the same secret for both servers';

let first: Server;
let second: Server;
beforeAll(async () => {
  first = await startServer({ env: { AUTH_SECRET } });
  second = await startServer({
    databaseUrl: first.databaseUrl,
    publicOrigin: first.origin,
    env: { AUTH_SECRET },
  });
});
afterAll(async () => {
  await second.remove();
  await first.remove();
});

test('counts 2,000 games of 50 players once each when all are sent twice, shuffled, to two servers, 64 at a time', async () => {
  const games: Unsent[] = [];
  for (let player = 0; player < PLAYERS; player++) {
    games.push(...(await playUnsent(await aSignedInVisitor(first), GAMES_EACH)));
  }
  await Promise.all([first, second].map((server) => server.moveClock(10_000)));

  const points = new Map<string, Set<string>>();
  await inParallel(shuffled([...games, ...games]), IN_FLIGHT, async (game) => {
    const { answer } = await deliver(game, [first, second]);
    const answers = points.get(game.ticket.gameId) ?? new Set();
    points.set(game.ticket.gameId, answers.add(JSON.stringify(answer.game)));
  });

  expect(await audit(first, games)).toEqual({
    lost: [],
    untrue: [],
    unasked: [],
    gaps: [],
    wrongSums: [],
  });
  const [counted] = await query<{ games: string }>(first, 'SELECT count(*) AS games FROM games');
  expect(Number(counted!.games)).toBe(PLAYERS * GAMES_EACH);
  // Both servers give the same answer about a game, the first and the second time.
  expect([...points.values()].every((answers) => answers.size === 1)).toBe(true);
}, 300_000);
