/**
 * Makes a server keep as much as it can until the time is up, in one of the ways below. It runs in a process of its own, so
 * that its own memory and time do not count.
 */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import WebSocket from 'ws';

/** Connections of one address. The server allows fewer. */
const CONNECTIONS = 200;
/** Sockets of one address, and of all. */
const SOCKETS = 600;
const ALL_SOCKETS = 8 * SOCKETS;

const objects = (/** @type {number} */ count) => `[${Array.from({ length: count }, () => '{}').join(',')}]`;
const LIVE = 'subscription{leaderboard{name}}';
const PLAIN = `{"query":"{__typename}","variables":{"x":${objects(5_200)}}}`;
/** A message of a socket may have 4 KiB. */
const VARIABLES = `"variables":{"x":${objects(1_300)}}`;
const EXTENSIONS = `"extensions":{"x":${objects(1_300)}}`;
/** With code 1000. */
const CLOSE = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]);
const PINGS = Buffer.alloc(240_000, Buffer.from([0x89, 0x80, 0, 0, 0, 0]));
const LONG_PING = `{"type":"ping","payload":"${'x'.repeat(4_000)}"}`;

/** 15.9 kB, the most that Node reads. */
const HEADERS = Array.from({ length: 1_000 }, (_none, index) => `${index}sabcd: 10000`)
  .join('\r\n')
  .slice(0, 15_900);

let made = 0;
/** The connections and sockets. */
let count = 0;
/** @type {Record<string, (order: Order, address: string) => Promise<unknown>>} */
const WAYS = {
  'compressed bodies': (order, address) => posts(order, address, gzipSync(PLAIN), 'Content-Encoding: gzip\r\n'),
  'plain bodies': (order, address) => posts(order, address, Buffer.from(PLAIN)),
  'half bodies': (order, address) => posts(order, address, Buffer.from(PLAIN).subarray(0, 15_000), '', 800),
  'bodies in tiny pieces': (order, address) => pieces(order, address, 'application/json'),
  'unread bodies in tiny pieces': (order, address) => pieces(order, address, 'text/plain'),
  'unfinished headers': (order, address) =>
    Promise.all(many(490, () => hold(order, address, `GET / HTTP/1.1\r\nHost: localhost\r\n${HEADERS}`))),
  'unread answers': (order, address) =>
    posts(
      order,
      address,
      Buffer.from('{"query":"{__schema{types{name description fields{name description}}}}"}'),
      '',
      0,
      true,
    ),
  'idle connections': (order, address) => Promise.all(many(2_000, () => hold(order, address, 'GET / HT'))),
  'idle and slow connections': (order, address) =>
    Promise.all([
      ...many(200, () => hold(order, address, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', true)),
      ...many(200, () => drip(order)),
    ]),
  'ping frames': (order, address) => subscribe(order, address, () => payload(LIVE), 115),
  reconnections: (order, address) =>
    greet({ ...order, rest: 0 }, address, (socket) => {
      socket.send(`{"id":"1","type":"subscribe","payload":${payload(LIVE)}}`, () => socket.close());
    }),
  'undeclared variables': (order, address) => subscribe(order, address, () => payload(LIVE, VARIABLES)),
  extensions: (order, address) => subscribe(order, address, () => payload(LIVE, EXTENSIONS)),
  comments: (order, address) => subscribe(order, address, () => payload(`${'#\\n'.repeat(1_300)}${LIVE}#${made++}`)),
  'large documents': (order, address) =>
    subscribe(order, address, () => payload(`subscription{leaderboard{${'name '.repeat(110)}}}#${made++}`)),
  'payloads of the first message': (order, address) =>
    greet(order, address, () => undefined, `{"type":"connection_init","payload":{"x":${objects(600)}}}`),
  'messages that are too long': (order, address) => stuff(order, address, (socket) => socket.send('x'.repeat(60_000))),
  // ws keeps the last piece, and with it all that came in the same read.
  'pieces behind long messages': (order, address) =>
    stuff(order, address, (socket) => {
      for (let ping = 0; ping < 15; ping++) socket.send(LONG_PING);
      socket.send('x', { fin: false });
    }),
  'empty pings': (order, address) => stuff(order, address, (_socket, raw) => raw.write(PINGS)),
  'bytes behind a close frame': (order, address) =>
    stuff(order, address, (_socket, raw) => raw.write(Buffer.concat([CLOSE, Buffer.alloc(60_000)]))),
};

const payload = (/** @type {string} */ query, more = '') => `{"query":"${query}"${more && `,${more}`}}`;

/** @template T @param {number} count @param {() => T} make */
const many = (count, make) => Array.from({ length: count }, () => make());

/**
 * Sends a request, and the same again after each answer. With `short` it promises more bytes than it sends.
 * @param {Order} order @param {string} address @param {Buffer} body
 */
function posts(order, address, body, headers = '', short = 0, isPaused = false) {
  const head = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length + short}\r\n\r\n`;
  const request = Buffer.concat([Buffer.from(head), body]);
  return Promise.all(
    many(CONNECTIONS, () => hold(order, address, isPaused ? repeated(request, 15) : request, isPaused)),
  );
}

/** A body that never ends. @param {Order} order @param {string} address @param {string} type */
function pieces(order, address, type) {
  const head = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  return Promise.all(many(CONNECTIONS, () => hold(order, address, head + '1\r\n{\r\n'.repeat(16_000))));
}

const repeated = (/** @type {Buffer} */ request, /** @type {number} */ times) =>
  Buffer.concat(many(times, () => request));

/**
 * Keeps one connection after the other open until the time is up.
 * @template {import('node:events').EventEmitter} Opened
 * @param {Order} order @param {number} rest   the pause before the next one, in milliseconds
 * @param {() => Opened} open @param {(opened: Opened) => void} cut
 */
async function keepOpen({ end }, rest, open, cut) {
  while (Date.now() < end) {
    await new Promise((closed) => {
      const opened = open();
      count += 1;
      const timer = setTimeout(() => cut(opened), end - Date.now());
      opened.on('error', () => undefined);
      opened.on('close', () => {
        clearTimeout(timer);
        closed(undefined);
      });
    });
    await pause(rest);
  }
}

/**
 * Keeps a connection, and opens a new one when the server closes it.
 * @param {Order} order @param {string} address @param {Buffer | string} request
 */
function hold(order, address, request, isPaused = false) {
  const open = () => {
    const socket = connect(order.port, '127.0.0.1', () => socket.write(request));
    if (isPaused) return socket.pause();
    return socket.on('data', () => void pause(20).then(() => socket.writable && socket.write(request)));
  };
  return keepOpen(order, 100, open, (socket) => socket.destroy());
}

/** Keeps a connection that sends its headers byte by byte. @param {Order} order */
function drip(order) {
  const open = () => {
    const socket = connect(order.port, '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '),
    );
    const timer = setInterval(() => socket.writable && socket.write('x'), 200);
    return socket.on('data', () => undefined).once('close', () => clearInterval(timer));
  };
  return keepOpen(order, 100, open, (socket) => socket.destroy());
}

/**
 * Opens sockets that greet, and then act.
 * @param {Order} order @param {string} address @param {(socket: WebSocket) => void} act
 */
function greet(order, address, act, init = '{"type":"connection_init"}') {
  const open = () => {
    const socket = new WebSocket(`ws://127.0.0.1:${order.port}/graphql`, 'graphql-transport-ws', {
      headers: { 'x-forwarded-for': address },
    });
    socket.on('open', () => socket.send(init));
    return socket.once('message', () => act(socket));
  };
  return Promise.all(
    many(order.sockets, () => keepOpen(order, order.rest ?? 500, open, (socket) => socket.terminate())),
  );
}

/**
 * Opens sockets with five subscriptions each, which then send so many pings.
 * @param {Order} order @param {string} address @param {() => string} payloadOf
 */
const subscribe = (order, address, payloadOf, pings = 0) =>
  greet(order, address, (socket) => {
    for (let id = 0; id < 5; id++) socket.send(`{"id":"${id}","type":"subscribe","payload":${payloadOf()}}`);
    for (let ping = 0; ping < pings; ping++) socket.ping();
  });

/**
 * Opens sockets that send this in one write, and read nothing for a second.
 * @param {Order} order @param {string} address @param {(socket: WebSocket, raw: import('node:net').Socket) => void} send
 */
const stuff = (order, address, send) =>
  greet(order, address, (socket) => {
    const raw = /** @type {{ _socket: import('node:net').Socket }} */ (/** @type {unknown} */ (socket))._socket;
    raw.cork();
    send(socket, raw);
    raw.uncork();
    socket.pause();
    setTimeout(() => socket.resume(), 1_000);
  });

process.once('message', async (message) => {
  const { way, addresses, port, seconds } =
    /** @type {{ way: string, addresses: string[], port: number, seconds: number }} */ (message);
  const sockets = Math.min(SOCKETS, Math.floor(ALL_SOCKETS / addresses.length));
  const order = { port, sockets, end: Date.now() + seconds * 1_000 };
  await Promise.all(addresses.map((address) => WAYS[way]?.(order, address)));
  process.send?.({ statuses: { opened: count } });
  process.disconnect();
});

/** @typedef {{ port: number, sockets: number, end: number, rest?: number }} Order   `sockets` of each address; `rest`: before the next one */
