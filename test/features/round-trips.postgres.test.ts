import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { squaresFor } from '../builders/finished-game.js';
import { finishGame, startGame } from '../support/play.js';
import { logged, type Server, startServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  const preload = [new URL('../support/logStatements.js', import.meta.url).href];
  server = await startServer({ database: 'postgres', preload });
});
afterAll(() => server.remove());

/** Where the log stands, once all before it has arrived here. */
async function mark(): Promise<number> {
  const path = `/api/${randomUUID()}`;
  await fetch(server.origin + path);
  await logged(server, path);
  return server.log().indexOf(path);
}

/** What the server has sent to its database meanwhile. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const start = await mark();
  await work();
  const lines = server
    .log()
    .slice(start, await mark())
    .split('\n');
  return lines
    .filter((line) => line.includes('"event":"statement"'))
    .map((line) => (JSON.parse(line) as { text: string }).text)
    .filter((text) => !text.includes('fold_score_changes'));
}

test('a game is counted in one round trip to the database, session and limit included', async () => {
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
