import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BackgroundWork, works } from './background-work.js';

let logged: unknown[];

beforeEach(() => {
  jest.useFakeTimers();
  logged = [];
  const log = (line: unknown) => void logged.push(line);
  jest.spyOn(Logger.prototype, 'log').mockImplementation(log);
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(log);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

class Work extends BackgroundWork {
  constructor(
    interval: number,
    protected override readonly run: () => Promise<void>,
  ) {
    super('score_histogram', interval);
  }
}

const seconds = (count: number) => jest.advanceTimersByTimeAsync(count * 1_000);
const state = () => works.values().find(([work]) => work === 'score_histogram')![1];

test('reports the time since the last success', async () => {
  const results = [true, false, false, true];
  const work = new Work(10_000, () => (results.shift() ? Promise.resolve() : Promise.reject(new Error('away'))));
  work.onApplicationBootstrap();
  await seconds(20);
  expect(state()).toBe(20);
  await seconds(10);
  expect(state()).toBe(0);
  await work.onModuleDestroy();
});

test('logs one line for an outage and one for its end', async () => {
  const results = [false, false, true, true];
  const work = new Work(1_000, () => (results.shift() ? Promise.resolve() : Promise.reject(new Error('away'))));
  work.onApplicationBootstrap();
  await seconds(3);
  await work.onModuleDestroy();
  expect(logged).toEqual([
    { event: 'background_work_failed', work: 'score_histogram', reason: 'Error: away' },
    { event: 'background_work_recovered', work: 'score_histogram', failures: 2 },
  ]);
});

test('has one run at a time, and waits for it at its end', async () => {
  let finish: () => void = () => undefined;
  const run = jest.fn(() => new Promise<void>((done) => (finish = done)));
  const work = new Work(1_000, run);
  work.onApplicationBootstrap();
  await seconds(3);
  expect(run).toHaveBeenCalledTimes(1);
  const stopped = work.onModuleDestroy();
  finish();
  await stopped;
  await seconds(3);
  expect(run).toHaveBeenCalledTimes(1);
});
