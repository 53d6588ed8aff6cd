import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { BoundedSocket } from './bounded-socket.js';

let server: WebSocketServer;
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
afterEach(async () => {
  for (const client of server.clients) client.terminate();
  server.close();
  await once(server, 'close');
});

/** Both ends of one connection; the server's is bounded. */
async function connected({ autoPong = true } = {}) {
  const theirs = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { autoPong });
  const [ours] = (await once(server, 'connection')) as [WebSocket];
  const failures: unknown[] = [];
  const bounded = new BoundedSocket(
    ours,
    () => Promise.resolve(undefined),
    (error) => failures.push(error),
  );
  if (theirs.readyState !== WebSocket.OPEN) await once(theirs, 'open');
  theirs.on('error', () => undefined);
  return { theirs, ours, bounded, failures };
}

test('a client that reads nothing is cut off before much waits for it', async () => {
  const { theirs, ours, bounded } = await connected();
  theirs.pause();
  const message = 'x'.repeat(64 * 1024);
  let most = 0;
  while (ours.readyState === WebSocket.OPEN) {
    void bounded.send(message);
    most = Math.max(most, ours.bufferedAmount);
    await new Promise((later) => setImmediate(later));
  }
  expect(most).toBeGreaterThan(128 * 1024);
  expect(most).toBeLessThan(256 * 1024);
  if (ours.readyState !== WebSocket.CLOSED) await once(ours, 'close');
  theirs.terminate();
});

test('a message to a client that has gone is no failure', async () => {
  const { theirs, ours, bounded, failures } = await connected();
  theirs.terminate();
  await once(ours, 'close');
  await bounded.send('too late');
  await bounded.onPing();
  expect(failures).toEqual([]);
});

test('a client that answers stays, one that does not read is gone at the next beat', async () => {
  const { theirs, ours, bounded } = await connected({ autoPong: false });
  bounded.beat();
  const [asked] = (await once(theirs, 'ping')) as [Buffer];
  theirs.pong(asked);
  await once(ours, 'pong');
  bounded.beat();
  expect(ours.readyState).toBe(WebSocket.OPEN);
  // An answer to something else does not show that the client has read.
  theirs.pong(asked);
  await once(ours, 'pong');
  bounded.beat();
  expect(ours.readyState).not.toBe(WebSocket.OPEN);
});

test('a client that goes on sending after its socket is closed is cut off', async () => {
  const { theirs, ours, bounded } = await connected();
  bounded.onMessage(() => Promise.resolve());
  theirs.pause();
  const closed = once(ours, 'close');
  for (let sent = 0; sent < 300; sent++) theirs.send('{"type":"ping"}');
  await closed;
  theirs.terminate();
});

test('an unexpected failure is told once, and closes the socket without saying more', async () => {
  const { theirs, bounded, failures } = await connected();
  bounded.onMessage(() => Promise.reject(new Error('with a secret')));
  theirs.send('{"type":"ping"}');
  const [code, reason] = (await once(theirs, 'close')) as [number, Buffer];
  expect([code, String(reason)]).toEqual([4500, 'Internal server error']);
  expect(failures).toEqual([new Error('with a secret')]);
});
