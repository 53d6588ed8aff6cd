import { expect, test } from '@jest/globals';
import { nextCountedFrom } from './facts.js';

const LATE = new Date('2026-01-31T23:59:59.999Z');

test.each([
  ['below the limit the next game counts now', 299, 300, null],
  ['at the limit it counts from the next UTC day', 300, 300, new Date('2026-02-01T00:00:00Z')],
  ['above the limit it counts from the next UTC day', 301, 300, new Date('2026-02-01T00:00:00Z')],
  ['without a limit it counts now', 1_000_000, 0, null],
])('%s', (_, gamesToday, limit, from) => {
  expect(nextCountedFrom(LATE, gamesToday, limit)).toEqual(from);
});
