import { expect, test } from '@jest/globals';
import { Places } from './places.js';

test('beyond the limit of the process the newcomer is refused, until another one has left; a proxy has no other limit', () => {
  const places = new Places(2, 1);
  const release = places.take('203.0.113.1') as () => void;
  expect([typeof places.take(undefined), places.take('203.0.113.2')]).toEqual(['function', 'process']);
  release();
  expect([typeof places.take('203.0.113.1'), places.take('203.0.113.2')]).toEqual(['function', 'process']);
});
