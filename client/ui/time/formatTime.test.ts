import { expect, jest, test } from '@jest/globals';
import { daysOf, formatDate, formatDateTime, formatDayTime, formatTime, timeLeft } from './formatTime.js';

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
  expect(daysOf('2026-11-16')).toMatch(/^16\s?–\s?22 November$/u);
  expect(daysOf('2026-11-30')).toMatch(/^30 November\s–\s6 December$/u);
});

test.each([
  ['de-DE', '00:05', '13:00'],
  ['en-US', '12:05 am', '1:00 pm'],
  ['ar-EG', '12:05 am', '1:00 pm'],
  ['en-US@posix', '12:05 am', '1:00 pm'],
  ['de_DE.UTF-8', '00:05', '13:00'],
  ['C', '00:05', '13:00'],
  ['', '00:05', '13:00'],
])('writes British with Latin digits, and for %s as many hours as its clocks have', (reader, night, noon) => {
  const language = jest.spyOn(navigator, 'language', 'get').mockReturnValue(reader);
  const at = new Date(2026, 8, 7, 0, 5, 9).getTime();
  expect(formatDate(at)).toBe('7 Sep 2026');
  expect(formatDateTime(at)).toBe(`7 Sep 2026, ${night}`);
  expect(formatDateTime(at, true)).toBe(`7 Sep 2026, ${night.replace('05', '05:09')}`);
  expect(formatDayTime(at)).toBe(`Monday ${night}`);
  expect(formatTime(new Date(2026, 8, 7, 13).getTime())).toBe(noon);
  language.mockRestore();
});
