import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { inParallel } from '../../support/load.js';
import { aServer } from '../../support/server.js';
import { leftOf } from '../../support/visitor.js';

const PROTOCOL = 'graphql-transport-ws';
const LIVE = 'subscription { leaderboard { name } }';

/** What a socket sends costs one request for every 256 bytes. */
const server = aServer({ env: { TRUST_PROXY: 'loopback', REQUESTS_PER_MINUTE: '1200' } });
const opened: WebSocket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate();
});

/** Opens a socket from a new network, unless an address is given. */
let networks = 0;
const anAddress = () => `203.0.113.${++networks}`;

async function open(address = anAddress()): Promise<WebSocket> {
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/graphql`, PROTOCOL, {
    headers: { 'x-forwarded-for': address },
  });
  await once(socket, 'open');
  opened.push(socket);
  return socket;
}

const say = (socket: WebSocket, message: object) => socket.send(JSON.stringify(message));

async function greet(address?: string): Promise<WebSocket> {
  const socket = await open(address);
  say(socket, { type: 'connection_init' });
  await once(socket, 'message');
  return socket;
}

/** Code and reason. */
async function closeOf(socket: WebSocket): Promise<[number, string]> {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  return [code, String(reason)];
}

async function answerOf(socket: WebSocket): Promise<unknown> {
  const [data] = (await once(socket, 'message')) as [Buffer];
  return JSON.parse(String(data));
}

/** The first answer to one subscription. */
const firstFor = (socket: WebSocket, id: string) =>
  new Promise<unknown>((found) =>
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(String(data)) as { id?: string };
      if (message.id === id) found(message);
    }),
  );

/** What an address may still ask in this minute. The question costs one. */
const remainingOf = async (address: string) =>
  leftOf(await fetch(server.origin, { headers: { 'x-forwarded-for': address } }));

/** A text frame with a mask of zeros. */
function frame(message: object): Buffer {
  const words = Buffer.from(JSON.stringify(message));
  const length = words.length < 126 ? [0x80 | words.length] : [0x80 | 126, words.length >> 8, words.length & 255];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), words]);
}

const isAlive = async () => expect((await fetch(`${server.origin}/health/live`)).status).toBe(200);

describe('Unbounded sockets', () => {
  test('a ping is answered, without its payload; one of more than 4 KB closes the socket', async () => {
    const socket = await greet();
    say(socket, { type: 'ping', payload: { x: 'y'.repeat(1_000) } });
    expect(await answerOf(socket)).toEqual({ type: 'pong' });
    say(socket, { type: 'ping', payload: { x: 'y'.repeat(4_100) } });
    expect((await closeOf(socket))[0]).toBe(1009);
  });

  test('a ping frame is answered with what it has', async () => {
    const socket = await greet();
    const pongs: string[] = [];
    socket.on('pong', (data: Buffer) => pongs.push(String(data)));
    for (const pings of [['one'], ['two', 'three', 'four']]) {
      for (const ping of pings) socket.ping(ping);
      do await once(socket, 'pong');
      while (pongs.at(-1) !== pings.at(-1));
    }
    expect(pongs[0]).toBe('one');
  });

  const FLOODS: [string, (socket: WebSocket, index: number) => void][] = [
    ['messages', (socket) => say(socket, { type: 'ping' })],
    ['ping frames', (socket) => socket.ping('x'.repeat(125))],
    ['pong frames that nobody asked for', (socket) => socket.pong('x'.repeat(125))],
    [
      'subscriptions that it ends at once',
      (socket, index) => {
        say(socket, { type: 'subscribe', id: String(index), payload: { query: LIVE } });
        say(socket, { type: 'complete', id: String(index) });
      },
    ],
    [
      'subscriptions that are refused',
      (socket, index) => say(socket, { type: 'subscribe', id: String(index), payload: { query: '{' } }),
    ],
  ];

  test.each(FLOODS)('a socket that sends more than 120 %s in a minute is closed', async (_what, flood) => {
    const socket = await greet();
    const closed = closeOf(socket);
    for (let index = 0; index < 150; index++) flood(socket, index);
    expect(await closed).toEqual([1008, 'One socket may send 120 messages a minute']);
    await isAlive();
  });

  test('messages use up only the allowance of their own address', async () => {
    const address = anAddress();
    const sockets = [];
    for (let index = 0; index < 3; index++) sockets.push(await greet(address));
    const closed = Promise.race(sockets.map(closeOf));
    const long = { query: `{ leaderboard { name } } #${'x'.repeat(3_900)}` };
    // No more than 32 KiB at once: that is another limit.
    let isOpen = true;
    void closed.then(() => (isOpen = false));
    for (let index = 0; isOpen; index++) {
      for (const socket of sockets) say(socket, { type: 'subscribe', id: String(index), payload: long });
      await Promise.race([closed, ...sockets.map((socket) => once(socket, 'message'))]);
    }
    expect(await closed).toEqual([
      1013,
      expect.stringMatching(/^Too many requests from this address\. Try again in (a second|\d+ seconds)\.$/),
    ]);
    const refused = await upgrade({ address });
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await upgrade({ path: '/other', address })).resume().statusCode).toBe(429);
    expect((await fetch(server.origin, { headers: { 'x-forwarded-for': address } })).status).toBe(429);
    await greet();
  });

  test('a message costs one request for every 256 bytes', async () => {
    const address = anAddress();
    const socket = await greet(address);
    const before = await remainingOf(address);
    say(socket, { type: 'ping', payload: 'x'.repeat(4_000) });
    await once(socket, 'message');
    // 4,036 bytes, the eight of the frame among them.
    expect(before - (await remainingOf(address))).toBe(16 + 1);
  });

  test('10,000 empty pings in one write are charged by their bytes', async () => {
    const address = anAddress();
    const socket = await greet(address);
    const before = await remainingOf(address);
    const pings = Buffer.alloc(60_000, Buffer.from([0x89, 0x80, 0, 0, 0, 0]));
    (socket as unknown as { _socket: Socket })._socket.write(pings);
    expect(await closeOf(socket)).toEqual([1008, 'One socket may send 32 KiB at once']);
    expect(before - (await remainingOf(address))).toBeGreaterThanOrEqual(pings.length / 256);
  });

  test('a message that comes with the upgrade is read, and the server sees the end of the client behind 16 KB', async () => {
    const asked = Object.entries(UPGRADE).map(([name, value]) => `${name}: ${value}`);
    const head = ['GET /graphql HTTP/1.1', 'Host: localhost', `X-Forwarded-For: ${anAddress()}`, ...asked, '', ''];
    const client = connect({ port: Number(new URL(server.origin).port), host: 'localhost', allowHalfOpen: true });
    let answer = '';
    client.on('data', (data: Buffer) => (answer += data.toString('latin1')));
    client.write(Buffer.concat([Buffer.from(head.join('\r\n')), frame({ type: 'connection_init' })]));
    while (!answer.includes('connection_ack')) await once(client, 'data');
    client.end(Buffer.concat(Array.from({ length: 4 }, () => frame({ type: 'ping', payload: 'x'.repeat(4_000) }))));
    await once(client, 'end');
    expect(answer.match(/pong/g)).toHaveLength(4);
    // graphql-ws asks a silent client after twelve seconds.
    expect(answer).not.toContain('\x89\0');
  });

  test('a socket has room for five subscriptions at a time', async () => {
    const socket = await greet();
    const sixth = firstFor(socket, '6');
    for (const id of '123456') say(socket, { type: 'subscribe', id, payload: { query: LIVE } });
    expect(await sixth).toMatchObject({ type: 'error' });
    const seventh = firstFor(socket, '7');
    say(socket, { type: 'complete', id: '1' });
    say(socket, { type: 'subscribe', id: '7', payload: { query: LIVE } });
    expect(await seventh).toMatchObject({ type: 'next' });
  });

  test('a subscription with large answers is rejected before it begins', async () => {
    const socket = await greet();
    const aliases = Array.from({ length: 15 }, (_none, index) => `a${index}: picture`).join(' ');
    const refused = firstFor(socket, '1');
    say(socket, { type: 'subscribe', id: '1', payload: { query: `subscription { leaderboard { name ${aliases} } }` } });
    expect(await refused).toMatchObject({
      type: 'error',
      payload: [{ message: expect.stringMatching(/the maximum is 170/) }],
    });
  });

  test.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['a message that only servers send', '{"type":"next","id":"1","payload":{}}'],
    ['no message of the protocol', '{"type":"__proto__"}'],
  ])('%s closes the socket and logs no error', async (_what, message) => {
    const socket = await greet();
    socket.send(message);
    expect(await closeOf(socket)).toEqual([4400, 'Invalid message received']);
    expect(server.log()).not.toMatch(/"level":[56]0|Internal error| {4}at /);
  });

  test('a message in more than sixteen pieces closes the socket', async () => {
    const socket = await greet();
    const closed = closeOf(socket);
    for (let piece = 0; piece < 17; piece++) socket.send('x', { fin: false });
    expect((await closed)[0]).toBe(1008);
  });

  test('a socket that never introduces itself is closed', async () => {
    expect(await closeOf(await open())).toEqual([4408, 'Connection initialisation timeout']);
  });

  // A /56 has twice as many: the unit tests of `Places`.
  test('a network of 64 bits has 500 sockets at a time', async () => {
    const ask = async (address: string) => {
      // A socket that has introduced itself stays open, however slow the machine is.
      const answer = await greet(address).catch((error: Error) => error);
      return answer instanceof Error ? answer.message : 'opened';
    };
    const hosts = Array.from({ length: 500 }, (_none, host) => `2001:db8:0:1::${host}`);
    // A server that reads 500 upgrades at once may come to the first introduction too late.
    await inParallel(hosts, 50, async (host) => expect(await ask(host)).toBe('opened'));
    expect(await ask('2001:db8:0:1::ffff')).toContain('429');
    expect(await ask('2001:db8:0:2::1')).toBe('opened');

    const [first] = opened;
    first!.close();
    await once(first!, 'close');
    expect(await ask('2001:db8:0:1::ffff')).toBe('opened');
  });
});

interface Offer {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly address?: string;
}

const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Protocol': PROTOCOL,
};

/** The answer to an upgrade that is refused. */
async function upgrade(offer: Offer): Promise<IncomingMessage> {
  const { path = '/graphql', headers = {}, address = anAddress() } = offer;
  const asked = httpRequest(server.origin + path, { headers: { 'X-Forwarded-For': address, ...UPGRADE, ...headers } });
  const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage];
  return answer;
}

const REFUSALS: [string, Offer, number, RegExp][] = [
  ['on a wrong path', { path: '/other' }, 404, /Connect to \/graphql/],
  ['from a foreign page', { headers: { Origin: 'https://evil.example' } }, 403, /origin/],
  ['without our subprotocol', { headers: { 'Sec-WebSocket-Protocol': 'graphql-ws' } }, 400, /graphql-transport-ws/],
];

describe('Refused upgrades', () => {
  test.each(REFUSALS)(
    'an upgrade %s is answered with the reason, and does not stay half open',
    async (_what, offer, status, sentence) => {
      const answer = await upgrade(offer);
      expect(answer.statusCode).toBe(status);
      expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
      expect(await json(answer)).toMatchObject({ error: expect.stringMatching(sentence) });

      const { path = '/graphql', headers = {} } = offer;
      const asked = Object.entries({ ...UPGRADE, ...headers }).map(([name, value]) => `${name}: ${value}`);
      const halfOpen = async () => {
        const client = connect({ port: Number(new URL(server.origin).port), host: 'localhost', allowHalfOpen: true });
        client.write([`GET ${path} HTTP/1.1`, 'Host: localhost', ...asked, '', ''].join('\r\n'));
        client.resume();
        await once(client, 'end');
        // A half-open connection takes more bytes; a closed one does not.
        let code: string | undefined;
        client.on('error', (error: NodeJS.ErrnoException) => (code = error.code));
        const gone = new Promise((closed) => client.once('close', closed));
        while (!client.destroyed) await new Promise((done) => client.write('still here', done));
        await gone;
        return code;
      };
      const ends = await Promise.all(Array.from({ length: 20 }, halfOpen));
      expect(new Set(ends)).toEqual(new Set(['EPIPE']));
    },
  );

  test('an upgrade is counted before it is refused', async () => {
    const address = anAddress();
    const before = await remainingOf(address);
    expect((await upgrade({ path: '/other', address })).resume().statusCode).toBe(404);
    expect(before - (await remainingOf(address))).toBe(1 + 1);
  });
});

describe('An offer of another protocol', () => {
  const OFFER = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAoAAAAAIAAAAA' };
  const ask = (path: string, method: string, headers: Record<string, string> = {}) =>
    httpRequest(server.origin + path, { method, headers: { ...OFFER, 'X-Forwarded-For': anAddress(), ...headers } });

  test.each([
    ['GET', '/api/leaderboard', 200],
    ['HEAD', '/', 200],
    ['GET', '/nothing-here', 404],
  ])('%s %s is answered as if it offered none', async (method, path, status) => {
    const [answer] = (await once(ask(path, method).end(), 'response')) as [IncomingMessage];
    const plain = await fetch(server.origin + path, { method });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe(plain.headers.get('content-type'));
    answer.resume();
  });

  const query = JSON.stringify({ query: '{ __typename }' });
  test.each([
    ['whose length is told', { 'Content-Length': String(query.length) }],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
    ['that waits for leave', { 'Content-Length': String(query.length), Expect: '100-continue' }],
  ])('also with a body %s', async (_what, headers) => {
    const asked = ask('/graphql', 'POST', { 'Content-Type': 'application/json', ...headers });
    if ('Expect' in headers) {
      asked.flushHeaders();
      await once(asked, 'continue');
    }
    asked.end(query);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(await json(answer)).toMatchObject({ data: { __typename: 'Query' } });
  });

  test('a pipelined upgrade behind an unanswered request does no harm', async () => {
    const client = connect(Number(new URL(server.origin).port), 'localhost');
    const lines = [`GET /api/leaderboard HTTP/1.1`, 'Host: localhost'];
    client.write([...lines, '', ...lines, 'Connection: Upgrade', 'Upgrade: websocket', '', ''].join('\r\n'));
    expect(await text(client)).toMatch(/^HTTP\/1\.1 /);
    await isAlive();
  });
});
