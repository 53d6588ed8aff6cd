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

/** Both ends of one connection. The server's end is a BoundedSocket. */
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

test('disconnects a client that reads nothing', async () => {
  const { theirs, ours, bounded } = await connected();
  theirs.pause();
  const message = 'x'.repeat(64 * 1024);
  let maxBuffered = 0;
  while (ours.readyState === WebSocket.OPEN) {
    void bounded.send(message);
    maxBuffered = Math.max(maxBuffered, ours.bufferedAmount);
    await new Promise((later) => setImmediate(later));
  }
  expect(maxBuffered).toBeGreaterThan(128 * 1024);
  expect(maxBuffered).toBeLessThan(256 * 1024);
  if (ours.readyState !== WebSocket.CLOSED) await once(ours, 'close');
  theirs.terminate();
});

test('ignores a message to a client that has disconnected', async () => {
  const { theirs, ours, bounded, failures } = await connected();
  theirs.terminate();
  await once(ours, 'close');
  await bounded.send('too late');
  await bounded.onPing();
  expect(failures).toEqual([]);
});

test('keeps a client that answers its ping, and disconnects one that does not', async () => {
  const { theirs, ours, bounded } = await connected({ autoPong: false });
  bounded.heartbeat();
  const [payload] = (await once(theirs, 'ping')) as [Buffer];
  theirs.pong(payload);
  await once(ours, 'pong');
  bounded.heartbeat();
  expect(ours.readyState).toBe(WebSocket.OPEN);
  // The answer to an earlier ping does not count.
  theirs.pong(payload);
  await once(ours, 'pong');
  bounded.heartbeat();
  expect(ours.readyState).not.toBe(WebSocket.OPEN);
});

test('disconnects a client that keeps sending after its socket is closed', async () => {
  const { theirs, ours, bounded } = await connected();
  bounded.onMessage(() => Promise.resolve());
  theirs.pause();
  const closed = once(ours, 'close');
  for (let sent = 0; sent < 300; sent++) theirs.send('{"type":"ping"}');
  await closed;
  theirs.terminate();
});

test('reports an unexpected failure once, and closes the socket without details', async () => {
  const { theirs, bounded, failures } = await connected();
  bounded.onMessage(() => Promise.reject(new Error('with a secret')));
  theirs.send('{"type":"ping"}');
  const [code, reason] = (await once(theirs, 'close')) as [number, Buffer];
  expect([code, String(reason)]).toEqual([4500, 'Internal server error']);
  expect(failures).toEqual([new Error('with a secret')]);
});
