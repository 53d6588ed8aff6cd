import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { Env } from '../env.js';
import { fairShare } from './fair-share.js';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

/** Sends requests of one network and records which of them have started. */
function aServer(env: Partial<Env> = { requestsPerMinute: 6_000 }) {
  const share = fairShare(Object.assign(new Env(), env));
  const begun: string[] = [];
  const send = (name: string, { ip = '203.0.113.1', path = '/api/leaderboard' } = {}) => {
    const response = Object.assign(new EventEmitter(), {
      destroyed: false,
      statusCode: 200,
      status: (code: number) => Object.assign(response, { statusCode: code }),
      setHeader: () => response,
      json: () => response,
    });
    share({ ip, path, socket: { destroyed: false } } as Request, response as unknown as Response, () => {
      begun.push(name);
    });
    return response;
  };
  return { send, begun };
}

test('runs three requests of a network at a time, and starts the next when one ends', async () => {
  const { send, begun } = aServer();
  const first = send('1');
  for (const name of ['2', '3', '4', '5']) send(name);
  send('another network', { ip: '203.0.113.2' });
  send('a probe', { path: '/health/live' });
  expect(begun).toEqual(['1', '2', '3', 'another network', 'a probe']);
  first.emit('close');
  await nextTurn();
  expect(begun.slice(5)).toEqual(['4']);
});

test('starts the next request when one takes long, and skips one whose client has disconnected', async () => {
  const { send, begun } = aServer();
  for (const name of ['1', '2', '3']) send(name);
  send('gone').destroyed = true;
  send('5');
  jest.advanceTimersByTime(100);
  await nextTurn();
  await nextTurn();
  expect(begun).toEqual(['1', '2', '3', '5']);
});

test('refuses a request when 200 wait already', () => {
  const { send } = aServer();
  const answers = Array.from({ length: 204 }, (_none, index) => send(String(index)));
  expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 429)).toHaveLength(1);
});

test('lets no request wait when requests have no limit', () => {
  const { send, begun } = aServer({ requestsPerMinute: 0 });
  for (const name of ['1', '2', '3', '4']) send(name);
  expect(begun).toHaveLength(4);
});
