import { expect, test } from '@jest/globals';
import { isWeek, weekOf } from './week.js';

test.each([
  ['2026-11-16T00:00:00.000Z', '2026-11-16'],
  ['2026-11-22T23:59:59.999Z', '2026-11-16'],
  ['2026-11-23T00:00:00.000Z', '2026-11-23'],
  ['2027-01-01T12:00:00.000Z', '2026-12-28'],
])('%s is in the week of %s', (time, week) => {
  expect(weekOf(new Date(time))).toBe(week);
});

test.each(['2026-11-16', '2000-01-03', '2028-02-28', '2999-12-30'])('%s is a week', (text) => {
  expect(isWeek(text)).toBe(true);
});

test.each([
  '2026-11-17',
  '2026-02-30',
  '2026-13-01',
  '1999-12-27',
  '3000-01-06',
  '2026-W47',
  '2026-11-16T00:00',
  '',
  ' 2026-11-16',
])('%j is no week', (text) => {
  expect(isWeek(text)).toBe(false);
});
