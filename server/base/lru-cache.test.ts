import { expect, test } from '@jest/globals';
import { Derived } from './lru-cache.js';

test('computes a value once for each object and key', () => {
  const derived = new Derived<object, string, string>(100);
  const [one, other] = [{}, {}];
  let computed = 0;
  const of = (source: object, key: string) => derived.of(source, key, () => `${key}${++computed}`);
  expect([of(one, 'a'), of(one, 'a'), of(one, 'b'), of(other, 'a')]).toEqual(['a1', 'a1', 'b2', 'a3']);
});

test('keeps the hundred values of an object that were used last', () => {
  const derived = new Derived<object, number, number>(100);
  const source = {};
  let computed = 0;
  const use = (key: number) => derived.of(source, key, () => ++computed);
  for (let key = 0; key < 100; key++) use(key);
  use(0);
  use(100);
  expect([use(0), computed]).toEqual([1, 101]);
  expect([use(1), computed]).toEqual([102, 102]);
});
