import { expect, test } from '@jest/globals';
import { hasEnded, isPublished, utcDay } from './clock.js';

const LATE = new Date('2026-01-31T23:59:59.999Z');

test('a day is named by its UTC date', () => {
  expect(utcDay(LATE)).toBe('2026-01-31');
  expect(utcDay(new Date(LATE.getTime() + 1))).toBe('2026-02-01');
});

test('seeds and moves of a day are published one minute after its end', () => {
  const day = '2026-01-31';
  const at = (time: string) => [hasEnded(day, new Date(time)), isPublished(day, new Date(time))];
  expect(at(LATE.toISOString())).toEqual([false, false]);
  expect(at('2026-02-01T00:00:00Z')).toEqual([true, false]);
  expect(at('2026-02-01T00:01:00Z')).toEqual([true, true]);
});
