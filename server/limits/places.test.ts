import { expect, test } from '@jest/globals';
import { Places } from './places.js';

test.each([
  ['an IPv4 address', ['203.0.113.1'], 2],
  ['a network of 64 bits', ['2001:db8:1:1::1', '2001:db8:1:1::2'], 2],
  ['a network of 56 bits', ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1'], 4],
  ['a network of 48 bits', ['1', '101', '201', '301', '401'].map((part) => `2001:db8:1:${part}::1`), 8],
])('%s has so many places and no more, and others have theirs', (_what, addresses, most) => {
  const places = new Places(100, 2);
  for (let taken = 0; taken < most; taken++) {
    expect(typeof places.take(addresses[taken % addresses.length])).toBe('function');
  }
  expect(addresses.map((address) => places.take(address))).toEqual(addresses.map(() => 'network'));
  expect(typeof places.take('198.51.100.1')).toBe('function');
});

test('beyond the limit of the process the newcomer is refused, until another one has left; a proxy has no other limit', () => {
  const places = new Places(2, 1);
  const release = places.take('203.0.113.1') as () => void;
  expect([typeof places.take(undefined), places.take('203.0.113.2')]).toEqual(['function', 'process']);
  release();
  release();
  expect([typeof places.take('203.0.113.1'), places.take('203.0.113.2')]).toEqual(['function', 'process']);
});
