import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Upkeep } from '../database/upkeep.js';
import { ScoreFolder } from './score-folder.js';

const timeout = Object.assign(new Error('canceled'), { code: '57014' });
const away = new Error('away');

/** The results of the next folds: a number of changes, or an error. */
let results: (number | Error)[];
let batches: number[];
let logged: unknown[];
let folder: ScoreFolder;
beforeEach(() => {
  jest.useFakeTimers();
  [results, batches, logged] = [[], [], []];
  const log = (line: unknown) => void logged.push(line);
  jest.spyOn(Logger.prototype, 'log').mockImplementation(log);
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(log);
  const query = (_text: string, [batch]: [number]) => {
    batches.push(batch);
    const result = results.shift() ?? 0;
    return result instanceof Error ? Promise.reject(result) : Promise.resolve([{ folded: result }]);
  };
  folder = new ScoreFolder({ query } as unknown as Upkeep);
  folder.onApplicationBootstrap();
});
afterEach(async () => {
  await folder.onModuleDestroy();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const seconds = (count: number) => jest.advanceTimersByTimeAsync(count * 1_000);

test('halves the batch after each statement that takes too long, until the backlog is folded', async () => {
  results = [timeout, timeout, 5_000, 5_000, 10];
  await seconds(4);
  expect(batches).toEqual([20_000, 10_000, 5_000, 5_000, 5_000, 20_000]);
});

test('keeps the batch after another failure', async () => {
  results = [away];
  await seconds(2);
  expect(batches).toEqual([20_000, 20_000]);
});

test('logs one line for an outage and one for its end, with the number of folded changes', async () => {
  results = [20_000, away, away, 7];
  await seconds(5);
  expect(logged).toEqual([
    { event: 'scores_not_folded', reason: 'Error: away' },
    { event: 'scores_folded_again', changes: 20_007 },
  ]);
});

test('starts no transaction after its end', async () => {
  results = [20_000, 20_000, 20_000];
  jest.advanceTimersByTime(1_000);
  await folder.onModuleDestroy();
  expect(batches).toEqual([20_000]);
});
