import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { squaresFor } from '../builders/finished-game.js';
import { finishGame, startGame } from '../support/play.js';
import { endOfLog, type Server, startServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  const preload = [new URL('../support/logStatements.js', import.meta.url).href];
  server = await startServer({ preload });
});
afterAll(() => server.remove());

/** The statements that the server sends to its database during the work. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const start = await endOfLog(server);
  await work();
  const lines = server
    .log()
    .slice(start, await endOfLog(server))
    .split('\n');
  return lines
    .filter((line) => line.includes('"event":"statement"'))
    .map((line) => (JSON.parse(line) as { text: string }).text);
}

test('a game is counted in one round trip to the database, including session and limit checks', async () => {
  const player = await aSignedInVisitor(server);
  const ticket = await startGame(player, 'easy');
  await server.moveClock(5_000);
  const squares = squaresFor({ ...ticket, result: 'win' });
  const sent = await statementsOf(() => finishGame(player, ticket.token, squares));
  expect(sent).toEqual([expect.stringContaining('FROM record_game(')]);

  const report = { userId: player.user.id, result: 'win', difficulty: 'easy' };
  const reported = await statementsOf(() => player.postJson('/api/player/stats', report));
  expect(reported).toEqual([expect.stringContaining('FROM record_game(')]);
});
