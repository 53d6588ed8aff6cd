import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { limitConnections } from '../limits/node.js';
import { Connections } from './connections.js';
import { createRouter } from './router.js';

const SOON = 50;
const NEVER = 60_000;
let ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends) end();
  ends = [];
});

/** A server that answers when the test says so, and the answers that it owes. */
async function aServer(ofNetwork = 1_000) {
  const owed: ServerResponse[] = [];
  const server = createServer((request, answer) => {
    if (request.url === '/at-once') answer.end('done');
    else owed.push(answer);
  });
  limitConnections(server, () => false, ofNetwork);
  const connections = new Connections(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = async (text: string) => {
    const socket = connect(port, '127.0.0.1');
    ends.push(() => socket.destroy());
    const said = { text: '' };
    socket.on('data', (data: Buffer) => (said.text += String(data))).on('error', () => undefined);
    const closed = new Promise<string>((done) => socket.once('close', () => done(said.text)));
    await once(socket, 'connect');
    socket.write(text);
    return { socket, closed, said };
  };
  const arrived = async (socket: Socket, sent: string) => {
    const there = async (count: number): Promise<boolean> =>
      new Promise((done) => server.getConnections((_error, all) => done(all >= count)));
    while (!(await there(1)) || socket.bytesWritten < sent.length) await new Promise(setImmediate);
    // The server reads what has arrived before a later request on another connection.
    const probe = await client('GET /at-once HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await probe.closed;
  };
  return { connections, client, owed, arrived };
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

test('lets requests in progress and requests that arrive in parts finish, and closes their connections', async () => {
  const { connections, client, owed, arrived } = await aServer();
  const busy = await client(REQUEST);
  const partial = await client('GET /at-once HTTP/1.1\r\nHo');
  await arrived(busy.socket, REQUEST);
  const closed = connections.close(NEVER);
  partial.socket.write('st: x\r\n\r\n');
  expect(await partial.closed).toMatch(/Connection: close[^]*done$/);
  owed[0]!.end('late');
  expect(await busy.closed).toMatch(/Connection: close[^]*late$/);
  expect(await closed).toBe(0);
});

test('waits for the first request of a new connection', async () => {
  const { connections, client, arrived } = await aServer();
  const fresh = await client('');
  await arrived(fresh.socket, '');
  const closed = connections.close(NEVER);
  fresh.socket.write(REQUEST.replace('/', '/at-once'));
  expect(await fresh.closed).toMatch(/Connection: close[^]*done$/);
  expect(await closed).toBe(0);
});

test('answers the connections and requests that wait in the kernel', async () => {
  const { connections, client } = await aServer();
  const request = REQUEST.replace('/', '/at-once');
  const used = await client(request);
  await once(used.socket, 'data');
  used.socket.write(request);
  const waiting = Array.from({ length: 5 }, () => client(request));
  // Each socket connects in the next tick, and the server accepts one in each turn of the event loop.
  await new Promise<void>((done) => process.nextTick(done));
  const closed = connections.close(NEVER);
  for (const { closed: said } of await Promise.all(waiting)) expect(await said).toMatch(/done$/);
  expect(await used.closed).toMatch(/done[^]*done$/);
  expect(await closed).toBe(0);
});

test('cuts the unread body of an answered request at once', async () => {
  const { connections, client, arrived } = await aServer();
  const sender = await client('POST /at-once HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
  await once(sender.socket, 'data');
  sender.socket.write('more');
  await arrived(sender.socket, 'more');
  expect(await connections.close(NEVER)).toBe(0);
  expect(await sender.closed).toContain('done');
});

test('cuts half-sent requests and unanswered ones at the limit', async () => {
  const { connections, client, arrived } = await aServer();
  const headers = await client('GET / HT');
  const body = await client('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
  await arrived(body.socket, 'half');
  expect(await connections.close(SOON)).toBe(2);
  expect([await headers.closed, await body.closed]).toEqual(['', '']);
});

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
  ['body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{'],
])('a connection that never ends its %s is closed soon after the limit', async (_part, sent) => {
  const { server } = createRouter().getInstance();
  Object.assign(server, { headersTimeout: 200, requestTimeout: 400 }).removeAllListeners('request');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  ends.push(
    () => socket.destroy(),
    () => server.close(),
  );
  socket.write(sent);
  // Node's own check every 30 seconds would come after the limit of a test.
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test('a network with too many connections gets no further one until one has closed', async () => {
  const { client } = await aServer(2);
  const [first] = [await client(''), await client('')];
  expect(await (await client(REQUEST.replace('/', '/at-once'))).closed).toBe('');
  first.socket.destroy();
  await first.closed;
  const later = async (): Promise<string> => {
    const { socket, closed, said } = await client(REQUEST.replace('/', '/at-once'));
    await Promise.race([once(socket, 'data'), closed]);
    return said.text || later();
  };
  expect(await later()).toMatch(/done$/);
});
