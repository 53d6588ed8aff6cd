import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { Env } from '../env.js';
import { fairShare } from './fair-share.js';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

/** What one network sends, in order, and which of it has begun. */
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

test('three requests of a network are worked on at a time, and the next begins when one has ended', async () => {
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

test('a request that takes long gives its place away, and one whose client has gone does not begin', async () => {
  const { send, begun } = aServer();
  for (const name of ['1', '2', '3']) send(name);
  send('gone').destroyed = true;
  send('5');
  jest.advanceTimersByTime(100);
  await nextTurn();
  await nextTurn();
  expect(begun).toEqual(['1', '2', '3', '5']);
});

test('more than 200 that wait are told to come again', () => {
  const { send } = aServer();
  const answers = Array.from({ length: 204 }, (_none, index) => send(String(index)));
  expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 429)).toHaveLength(1);
});

test('without a limit of requests nothing waits', () => {
  const { send, begun } = aServer({ requestsPerMinute: 0 });
  for (const name of ['1', '2', '3', '4']) send(name);
  expect(begun).toHaveLength(4);
});
