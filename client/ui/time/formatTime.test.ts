import { expect, test } from '@jest/globals';
import { daysOf, timeLeft } from './formatTime.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [7 * 24 * HOUR, 'in 7 days'],
  [48 * HOUR - 1, 'in 1 day'],
  [24 * HOUR - 1, 'in 23 hours'],
  [HOUR - 1, 'in 60 minutes'],
  [90_000, 'in 2 minutes'],
  [0, 'in 1 minute'],
])('%d ms are left: %s', (ms, text) => {
  expect(timeLeft(ms)).toBe(text);
});

test('names the days of a week, also across two months', () => {
  expect(daysOf('2026-11-16')).toMatch(/^November 16\s–\s22$/);
  expect(daysOf('2026-11-30')).toMatch(/^November 30\s–\sDecember 6$/);
});
