import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { Room } from '../../web/requests/held-bytes.js';
import { BoundedSocket } from './bounded-socket.js';
import { PushedMessage } from './shared-execution.js';

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
async function connected({ autoPong = true, room = new Room(1e9, 1e9) } = {}) {
  const theirs = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { autoPong });
  const [ours, request] = (await once(server, 'connection')) as [WebSocket, IncomingMessage];
  const failures: unknown[] = [];
  const bounded = new BoundedSocket(
    ours,
    request.socket,
    { spend: () => Promise.resolve(undefined), enter: () => room.enter('203.0.113.1') },
    room.enter('203.0.113.1'),
    (error) => failures.push(error),
  );
  if (theirs.readyState !== WebSocket.OPEN) await once(theirs, 'open');
  theirs.on('error', () => undefined);
  return { theirs, ours, bounded, failures };
}

const FRAME = new PushedMessage({ data: { name: 'x'.repeat(60_000) } }).frameFor('1');

test.each<[what: string, send: (socket: BoundedSocket) => Promise<void>]>([
  ['messages', (socket) => socket.send('x'.repeat(64 * 1024))],
  ['pushed frames', (socket) => socket.push(FRAME)],
])('disconnects a client that reads no %s', async (_what, send) => {
  const { theirs, ours, bounded } = await connected();
  theirs.pause();
  const sent: Promise<void>[] = [];
  let maxBuffered = 0;
  while (ours.readyState === WebSocket.OPEN) {
    sent.push(send(bounded));
    maxBuffered = Math.max(maxBuffered, ours.bufferedAmount);
    await new Promise((later) => setImmediate(later));
  }
  expect(maxBuffered).toBeGreaterThan(128 * 1024);
  expect(maxBuffered).toBeLessThan(256 * 1024);
  await Promise.all(sent);
  theirs.terminate();
});

test.each([
  ['this address has too many', new Room(1e9, 5_000), 'Too many subscriptions from this address. End some of them.'],
  [
    'the server is full',
    new Room(5_000, 1e9),
    'This server has no room for more subscriptions. Try again in a minute.',
  ],
])('says that %s when it refuses a subscription', async (_why, room, reason) => {
  const { theirs, bounded } = await connected({ room });
  bounded.onMessage(() => Promise.resolve());
  theirs.send('{"id":"1","type":"subscribe","payload":{"query":"subscription{leaderboard{name}}"}}');
  const [code, said] = (await once(theirs, 'close')) as [number, Buffer];
  expect([code, String(said)]).toEqual([1013, reason]);
});

test('pushes frames between messages, and tells when a slow reader has caught up', async () => {
  const { theirs, bounded } = await connected();
  const received: string[] = [];
  theirs.on('message', (data: Buffer) => received.push(String(data)));
  const push = (name: string, length: number) => {
    return bounded.push(new PushedMessage({ data: { name: name.repeat(length) } }).frameFor('1'));
  };
  void bounded.send('first');
  await push('a', 1);
  await push('b', 100);
  await push('c', 70_000);
  void bounded.send('last');
  while (received.length < 5) await once(theirs, 'message');
  const expected = ['a', 'b'.repeat(100), 'c'.repeat(70_000)].map((name) => ({
    id: '1',
    type: 'next',
    payload: { data: { name } },
  }));
  expect(received.slice(1, 4).map((text) => JSON.parse(text) as unknown)).toEqual(expected);
  expect([received[0], received[4]]).toEqual(['first', 'last']);
});

test('ignores a message to a client that has disconnected', async () => {
  const { theirs, ours, bounded, failures } = await connected();
  theirs.terminate();
  await once(ours, 'close');
  await bounded.send('too late');
  await bounded.push(Buffer.from('too late'));
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
