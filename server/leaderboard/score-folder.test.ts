import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Upkeep } from '../database/upkeep.js';
import { ScoreFolder } from './score-folder.js';

const timeout = Object.assign(new Error('canceled'), { code: '57014' });
const away = new Error('away');

let batches: number[];
let folder: ScoreFolder;
beforeEach(() => {
  jest.useFakeTimers();
  batches = [];
  jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
});
afterEach(async () => {
  await folder.onModuleDestroy();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** @param results those of the first statements: a number of changes, or an error. Later ones fold nothing. */
function startWith(...results: (number | Error)[]): void {
  const query = (_text: string, [batch]: [number]) => {
    batches.push(batch);
    const result = results.shift() ?? 0;
    return result instanceof Error ? Promise.reject(result) : Promise.resolve([{ folded: result }]);
  };
  folder = new ScoreFolder({ query } as unknown as Upkeep);
  folder.onApplicationBootstrap();
}

const seconds = (count: number) => jest.advanceTimersByTimeAsync(count * 1_000);

test('halves the batch after each statement that takes too long, until the backlog is folded', async () => {
  startWith(timeout, timeout, 5_000, 5_000, 10);
  await seconds(3);
  expect(batches).toEqual([20_000, 10_000, 5_000, 5_000, 5_000, 20_000]);
});

test('keeps the batch after another failure', async () => {
  startWith(away);
  await seconds(1);
  expect(batches).toEqual([20_000, 20_000]);
});

test('starts no transaction after its end', async () => {
  startWith(20_000, 20_000, 20_000);
  await folder.onModuleDestroy();
  expect(batches).toEqual([20_000]);
});
