import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { metricsAt } from '../support/metrics.js';
import { freePort } from '../support/postgres.js';
import { type Server, startServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

let server: Server;
let metricsPort: number;
beforeEach(async () => {
  metricsPort = await freePort();
  server = await startServer({ env: { SHUTDOWN_DELAY_MS: '60000', METRICS_PORT: String(metricsPort) } });
});
afterEach(() => server.remove());

async function aWatcher(): Promise<WebSocket> {
  const watcher = new WebSocket(`${server.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(watcher, 'open');
  watcher.send('{"type":"connection_init"}');
  await once(watcher, 'message');
  return watcher;
}

async function untilNotReady(): Promise<Response> {
  for (;;) {
    const answer = await fetch(`${server.origin}/health/ready`);
    if (answer.status !== 200) return answer;
  }
}

test('after SIGTERM the server is not ready and serves everything, until the delay or a second signal ends it', async () => {
  const player = await aSignedInVisitor(server);
  const early = await aWatcher();
  const stopped = server.stop();
  const answer = await untilNotReady();
  expect([answer.status, await answer.json()]).toMatchObject([
    503,
    { error: 'The server is about to stop.', code: 'stopping' },
  ]);
  expect((await metricsAt(metricsPort)).sum('ttt_ready')).toBe(0);
  expect((await fetch(`${server.origin}/health/live`)).status).toBe(200);
  const served = await player.postJson('/graphql', { query: 'mutation { startGame(difficulty: easy) { seed } }' });
  expect([served.headers.get('connection'), await served.json()]).toMatchObject(['close', { data: { startGame: {} } }]);
  const closings = [early, await aWatcher()].map((watcher) => once(watcher, 'close'));

  void server.stop();
  expect((await Promise.all(closings)).map(([code]) => code as number)).toEqual([1001, 1001]);
  expect(await stopped).toBe(0);
  expect(server.log()).toContain('"event":"stopped","cut":0');
});
