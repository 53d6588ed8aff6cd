import { expect, test } from '@jest/globals';
import { Room } from './held-bytes.js';

const full = (room: Room, address: string | undefined, bytes: number) => room.enter(address).set(bytes);

test.each([
  ['an IPv4 address', ['203.0.113.1'], 100],
  ['a network of 64 bits', ['2001:db8:1:1::1', '2001:db8:1:1::2'], 100],
  ['a network of 56 bits', ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1'], 200],
  ['a network of 48 bits', ['2001:db8:1:100::1', '2001:db8:1:200::1', '2001:db8:1:301::1', '2001:db8:1:401::1'], 400],
])('%s keeps so many bytes and no more', (_what, addresses, most) => {
  const room = new Room(10_000, 100);
  const each = most / addresses.length;
  expect(addresses.map((address) => full(room, address, each))).toEqual(addresses.map(() => undefined));
  expect(full(room, addresses[0], 1)).toBe('network');
  expect(full(room, '198.51.100.1', 100)).toBeUndefined();
});

test('beyond the limit of the process the newcomer is refused, until another client has left', () => {
  const room = new Room(150, 100);
  const first = room.enter('203.0.113.1');
  expect(first.set(100)).toBeUndefined();
  const newcomer = room.enter('203.0.113.2');
  expect(newcomer.set(60)).toBe('process');
  expect(newcomer.set(50)).toBeUndefined();
  first.release();
  expect(newcomer.grow(50)).toBeUndefined();
});

test('a refused growth changes nothing, and what is released can be taken again', () => {
  const room = new Room(1_000, 100);
  const held = room.enter('203.0.113.1');
  expect([held.set(90), held.set(101), held.grow(10), held.grow(1)]).toEqual([
    undefined,
    'network',
    undefined,
    'network',
  ]);
  held.release();
  expect(held.set(1_000)).toBeUndefined();
  expect(full(room, '203.0.113.1', 100)).toBeUndefined();
});

test('a proxy keeps what its clients need, within the limit of the process', () => {
  const room = new Room(1_000, 100);
  expect([full(room, undefined, 900), full(room, undefined, 101)]).toEqual([undefined, 'process']);
});
