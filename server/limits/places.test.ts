import { expect, test } from '@jest/globals';
import { Places } from './places.js';

test('beyond the limit of the process the newcomer is refused, until another one has left; a proxy has no other limit', () => {
  const places = new Places(2, 1);
  const release = places.take('203.0.113.1') as () => void;
  expect([typeof places.take(undefined), places.take('203.0.113.2')]).toEqual(['function', 'process']);
  release();
  expect([typeof places.take('203.0.113.1'), places.take('203.0.113.2')]).toEqual(['function', 'process']);
});

test('a /64 has the places of a network, a /56 twice as many and a /48 four times', () => {
  const places = new Places(100, 2);
  const taken = (network: string) => typeof places.take(`2001:db8:0:${network}::1`) === 'function';
  for (const network of ['1', '1', '2', '2', '101', '101', '102', '102'])
    expect([network, taken(network)]).toEqual([network, true]);
  const later = ['1', '3', '201'].map((network) => places.take(`2001:db8:0:${network}::1`));
  expect([later, taken('1000')]).toEqual([['network', 'network', 'network'], false]);
  expect(typeof places.take('2001:db8:1::1')).toBe('function');
});
