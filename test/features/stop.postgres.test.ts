import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { squaresFor } from '../builders/finished-game.js';
import { type Locks, locksOn } from '../support/locks.js';
import { finishGame, startGame } from '../support/play.js';
import { type Server, startServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

let server: Server;
let locks: Locks;
beforeEach(async () => {
  server = await startServer({ database: 'postgres' });
  locks = await locksOn(server);
});
afterEach(async () => {
  await locks.close();
  await server.remove();
});

describe('SIGTERM', () => {
  test('finishes what is under way, by GraphQL and by REST, and ends with 0', async () => {
    const player = await aSignedInVisitor(server);
    const ticket = await startGame(player, 'easy');
    await server.moveClock(5_000);
    await locks.hold('SELECT FROM players WHERE id = $1 FOR UPDATE', [player.user.id]);
    const finished = finishGame(player, ticket.token, squaresFor({ ...ticket, result: 'win' }));
    const report = { userId: player.user.id, result: 'win', difficulty: 'easy' };
    const reported = player.postJson('/api/player/stats', report);
    await locks.untilWaiting(2);
    const stopped = server.stop();
    await expect(untilRefused(server)).resolves.toBeUndefined();
    await locks.release();
    expect((await finished).data?.finishGame).toMatchObject({ __typename: 'GameCounted' });
    expect((await reported).status).toBe(200);
    expect(await stopped).toBe(0);
  });

  test('tells whoever watches the leaderboard that the server goes, and waits for nobody who is idle', async () => {
    const idle = connect(Number(new URL(server.origin).port), 'localhost');
    await once(idle, 'connect');
    const watcher = new WebSocket(`${server.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(watcher, 'open');
    const closed = once(watcher, 'close');
    expect(await server.stop()).toBe(0);
    expect((await closed)[0]).toBe(1001);
    idle.destroy();
  });
});

/** Until the server takes no more connections. */
async function untilRefused({ origin }: Server): Promise<void> {
  for (;;) {
    try {
      await fetch(`${origin}/health/live`, { headers: { connection: 'close' } });
    } catch {
      return;
    }
  }
}
