import { expect, test } from '@jest/globals';
import { Places } from './places.js';
import { Turns } from './turns.js';

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
  const leave = places.take('203.0.113.1') as () => void;
  expect([typeof places.take(undefined), places.take('203.0.113.2')]).toEqual(['function', 'process']);
  leave();
  leave();
  expect([typeof places.take('203.0.113.1'), places.take('203.0.113.2')]).toEqual(['function', 'process']);
});

/** Users of so many places, who begin in their turn. */
function aQueue(most: number, ofNetwork: number, paced = false) {
  const turns = new Turns(new Places(most, ofNetwork), paced);
  const begun: string[] = [];
  const leaves: (() => void)[] = [];
  const enter = (name: string, address: string) =>
    turns.enter(address, (leave) => {
      begun.push(name);
      leaves.push(leave);
    });
  return { begun, enter, leave: () => leaves.shift()!() };
}
const [A, B, C] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];

test('networks take turns, however many users one of them has', () => {
  const { begun, enter, leave } = aQueue(1, Infinity);
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(name, A);
  for (const name of ['b1', 'b2']) enter(name, B);
  enter('c1', C);
  for (let left = 0; left < 6; left++) leave();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('many /64 of one /48 have one turn together', () => {
  const { begun, enter, leave } = aQueue(1, Infinity);
  enter('first', C);
  for (const part of [1, 2, 3, 4]) enter(`wide ${part}`, `2001:db8:1:${part}::1`);
  for (const name of ['b1', 'b2']) enter(name, B);
  for (let left = 0; left < 4; left++) leave();
  expect(begun).toEqual(['first', 'wide 1', 'b1', 'wide 2', 'b2']);
});

test('a network takes no more places than it has, and a full part of it does not hide its others', () => {
  const { begun, enter, leave } = aQueue(Infinity, 1);
  for (const [name, part] of [
    ['a1', 1],
    ['a2', 1],
    ['b1', 2],
  ] as const) {
    enter(name, `2001:db8:1:${part}::1`);
  }
  enter('x', A);
  expect(begun).toEqual(['a1', 'b1', 'x']);
  leave();
  expect(begun.at(-1)).toBe('a2');
});

test('where they are paced, one begins in each turn of the event loop, a network after the other', async () => {
  const { begun, enter } = aQueue(Infinity, Infinity, true);
  for (const name of ['a1', 'a2', 'a3']) enter(name, A);
  enter('b1', B);
  const seen = [];
  for (let turn = 0; turn < 4; turn++) {
    seen.push(begun.join(' '));
    await new Promise(setImmediate);
  }
  expect(seen).toEqual(['a1', 'a1 a2', 'a1 a2 b1', 'a1 a2 b1 a3']);
});
