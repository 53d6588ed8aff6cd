import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Clock } from '../base/clock.js';
import { DatabaseClock } from './database-clock.service.js';
import type { BackgroundConnections } from './background-work.js';

const START = Date.parse('2026-11-22T12:00:00Z');
const INTERVAL = 10_000;
beforeEach(() => void jest.useFakeTimers({ now: START }));
afterEach(() => void jest.useRealTimers());

/** A database whose clock is ahead, and whose answers take these milliseconds, in turn. */
async function aDatabase(ahead: number, ...delays: number[]) {
  const warnings: unknown[] = [];
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void warnings.push(line));
  const database = { ahead, delays };
  const query = async () => {
    const delay = database.delays.shift() ?? 0;
    if (Number.isNaN(delay)) throw new Error('away');
    jest.setSystemTime(Date.now() + delay / 2);
    const now = Date.now() + database.ahead;
    jest.setSystemTime(Date.now() + delay / 2);
    return Promise.resolve([{ now }]);
  };
  const clock = new Clock();
  const source = { options: { url: 'postgresql://localhost/x' } } as unknown as DataSource;
  const measured = new DatabaseClock(source, { manager: { query } } as unknown as BackgroundConnections, clock);
  await measured.onModuleInit();
  return {
    database,
    difference: () => clock.now().getTime() - Date.now(),
    next: (...again: number[]) => {
      database.delays = again;
      return jest.advanceTimersByTimeAsync(INTERVAL);
    },
    stop: () => measured.onModuleDestroy().then(() => warn.mockRestore()),
    warnings,
  };
}

test('the clock has the time of the database from the start, and follows it', async () => {
  const { database, difference, next, stop, warnings } = await aDatabase(-5_000, 40, 8, 20);
  expect(difference()).toBe(-5_000);
  database.ahead = 3_000;
  await next();
  expect(difference()).toBe(3_000);
  await next();
  expect(warnings).toEqual([
    { event: 'clock_differs', ms: -5_000 },
    { event: 'clock_differs', ms: 3_000 },
  ]);
  await stop();
});

test('a difference within the error of the measurement changes nothing', async () => {
  const { database, difference, next, stop, warnings } = await aDatabase(20, 60, 60, 60);
  expect(difference()).toBe(0);
  database.ahead = 400;
  await next(600, 600, 600);
  expect(difference()).toBe(0);
  await next(600, 100, 600);
  expect(difference()).toBe(400);
  expect(warnings).toEqual([]);
  await stop();
});

test('a measurement during which the clock of the machine is set back changes nothing', async () => {
  const { difference, next, stop } = await aDatabase(20, 60, 60, 60);
  await next(-600, -600, -600);
  expect(difference()).toBe(0);
  await stop();
});

test('the clock keeps its difference while the database is away', async () => {
  const { difference, next, stop } = await aDatabase(5_000);
  await next(NaN);
  expect(difference()).toBe(5_000);
  await stop();
});
