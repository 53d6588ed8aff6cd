import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import WebSocket, { WebSocketServer } from 'ws';
import { endSlowReader } from './socket-limits.js';

test('a socket whose client does not read is ended', async () => {
  const server = new WebSocketServer({ host: 'localhost', port: 0 });
  await once(server, 'listening');
  const client = new WebSocket(`ws://localhost:${(server.address() as AddressInfo).port}`);
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  socket.send('x'.repeat(32 * 1024));
  await once(client, 'message');
  endSlowReader(socket);
  expect(socket.readyState).toBe(WebSocket.OPEN);

  client.pause();
  while (socket.bufferedAmount <= 32 * 1024) {
    socket.send('x'.repeat(100_000));
    await nextTurn();
  }
  const closed = once(socket, 'close');
  endSlowReader(socket);
  expect(await closed).toEqual([1006, expect.anything()]);
  client.terminate();
  server.close();
});
