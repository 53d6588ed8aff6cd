import { expect, it } from '@jest/globals';
import { equal as original } from '@wry/equality';
import { equal } from './equal.js';

/** Made anew, so that what is equal is another object. */
const values = (): unknown[] => [
  null,
  undefined,
  0,
  NaN,
  '',
  'a',
  [],
  [1, 2],
  [2, 1],
  {},
  { a: undefined },
  { a: 1 },
  { a: 1, b: { c: [null] } },
  { a: 1, b: { c: [undefined] } },
  { 0: 1, 1: 2 },
  new Error('one'),
  new Error('other'),
  new TypeError('one'),
  () => 1,
];

const pairs = values().flatMap((one) => values().map((other) => [one, other]));

it.each(pairs)('%p and %p: as the original says', (one, other) => {
  expect(equal(one, other)).toBe(original(one, other));
});
