import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Env } from '../../settings/env.js';
import { FairShare } from './fair-share.js';
import { Room } from './held-bytes.js';
import { beginRequest } from './request.js';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

/** Sends requests of one network and records which of them have started. */
function aServer(env: Partial<Env> = { requestsPerMinute: 6_000 }) {
  const share = new FairShare(Object.assign(new Env(), env), new Room(100_000_000, 3_000_000));
  const begun: string[] = [];
  const open = { destroyed: false };
  const send = (name: string, { ip = '203.0.113.1', url = '/api/leaderboard', socket = open, sent = {} } = {}) => {
    const headers: Record<string, string> = {};
    const response = Object.assign(new EventEmitter(), {
      destroyed: false,
      statusCode: 200,
      headers,
      body: undefined,
      setHeader: (header: string, value: string) => void (headers[header] = value),
      writeHead: (statusCode: number) => Object.assign(response, { statusCode }),
      end: (body: string) => Object.assign(response, { body: JSON.parse(body) as unknown }),
    });
    const request = { url, socket, headers: sent } as IncomingMessage;
    beginRequest(request, ip);
    const answered = response as unknown as ServerResponse;
    share.admit(request, answered, () => share.enter(request, answered, () => void begun.push(name)));
    return Object.assign(response, { answer: (text?: string) => share.leave(request, text) });
  };
  return { send, begun };
}

/** In each turn of the event loop one request begins. */
async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

test('runs three requests of a network at a time, and starts the next when an answer is there', async () => {
  const { send, begun } = aServer();
  const first = send('1');
  for (const name of ['2', '3', '4', '5']) send(name);
  await turns();
  expect(begun).toEqual(['1', '2', '3']);
  first.answer();
  await turns();
  expect(begun).toEqual(['1', '2', '3', '4']);
});

test('one request begins in a turn of the event loop, and networks take turns', async () => {
  const { send, begun } = aServer();
  for (const name of ['1', '2', '3']) send(name);
  send('another network', { ip: '203.0.113.2' });
  send('a probe', { url: '/health/live' });
  expect(begun).toEqual(['1', 'a probe']);
  await nextTurn();
  expect(begun.slice(2)).toEqual(['another network']);
  await nextTurn();
  expect(begun.slice(3)).toEqual(['2']);
});

test('a /56 has places for six requests, and a /48 for twelve', async () => {
  const { send, begun } = aServer();
  for (let at = 0; at < 12; at++) send(`a${at}`, { ip: `2001:db8:1:${at}::1` });
  await turns(30);
  expect(begun).toHaveLength(6);
  for (let at = 1; at < 12; at++) send(`b${at}`, { ip: `2001:db8:1:${at}00::1` });
  await turns(30);
  expect(begun).toHaveLength(12);
});

test('a request keeps its place while it waits, but a sign-in that waits for its provider does not', async () => {
  const { send, begun } = aServer();
  for (const name of ['1', '2', '3', '4']) send(name);
  for (const name of ['a', 'b', 'c', 'd']) send(name, { ip: '203.0.113.2', url: '/auth/google/callback?code=1' });
  await turns();
  jest.advanceTimersByTime(100);
  await turns();
  expect(begun.toSorted()).toEqual(['1', '2', '3', 'a', 'b', 'c', 'd']);
});

test('skips a waiting request whose client or whose connection has gone', async () => {
  const { send, begun } = aServer();
  const first = send('1');
  for (const name of ['2', '3']) send(name);
  send('gone').destroyed = true;
  send('closed', { socket: { destroyed: true } });
  send('5');
  first.answer();
  await turns();
  expect(begun).toEqual(['1', '2', '3', '5']);
});

test('refuses a request when 300 are there already', () => {
  const { send } = aServer();
  const answers = Array.from({ length: 301 }, (_none, index) => send(String(index)));
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  expect(refused).toEqual([answers.at(-1)]);
  expect(refused[0]).toMatchObject({
    headers: { 'Retry-After': '1' },
    body: {
      error: 'Too many requests from this address at once. Try again in a second.',
      code: 'too_many_requests',
    },
  });
});

const LONG = { 'content-type': 'application/json', 'content-length': '16384' };

test('the bodies of a network that wait count with their bytes', () => {
  const { send } = aServer();
  const answers = Array.from({ length: 100 }, (_none, index) => send(String(index), { sent: LONG }));
  const refused = answers.findIndex(({ statusCode }) => statusCode === 429);
  // 26 kB each, and three of them are parsed: 393 kB more each.
  expect(refused).toBe(Math.floor((3_000_000 - 3 * 16_384 * 24) / (10_000 + 16_384)));
});

test('cuts off a reader who lets answers of more than 3 MB wait', () => {
  const { send } = aServer();
  const cut: string[] = [];
  for (const name of ['1', '2', '3', '4']) {
    const socket = { destroyed: false, destroy: () => cut.push(name) };
    send(name, { socket }).answer('x'.repeat(900_000));
  }
  expect(cut).toEqual(['4']);
});

test('tells a GraphQL client so in `errors`', () => {
  const { send } = aServer();
  const answers = Array.from({ length: 301 }, (_none, index) => send(String(index), { url: '/graphql?query={a}' }));
  expect(answers.at(-1)).toMatchObject({
    statusCode: 429,
    body: { errors: [{ extensions: { code: 'TOO_MANY_REQUESTS', requestId: expect.any(String) } }] },
  });
});

test('a request that gave its place away frees no second place when it ends', async () => {
  const { send, begun } = aServer();
  const running = ['1', '2', '3'].map((name) => send(name));
  for (const name of ['4', '5', '6', '7']) send(name);
  for (const response of running) {
    response.answer();
    response.emit('close');
  }
  await turns();
  expect(begun).toEqual(['1', '2', '3', '4', '5', '6']);
});

test('a request that ends frees one place, not all of them', async () => {
  const { send, begun } = aServer();
  const first = send('1');
  for (const name of ['2', '3']) send(name);
  first.emit('close');
  for (const name of ['4', '5', '6']) send(name);
  await turns();
  expect(begun).toEqual(['1', '2', '3', '4']);
});

test('requests without an address share one network', async () => {
  const { send, begun } = aServer();
  for (const name of ['1', '2', '3', '4']) send(name, { ip: '' });
  await turns();
  expect(begun).toEqual(['1', '2', '3']);
});

test('lets no request wait when requests have no limit', () => {
  const { send, begun } = aServer({ requestsPerMinute: 0 });
  for (const name of ['1', '2', '3', '4']) send(name);
  expect(begun).toHaveLength(4);
});
