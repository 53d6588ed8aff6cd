import { expect, test } from '@jest/globals';
import { Turns } from './turns.js';

/** Requests that run until the test says so, the oldest first. */
function aQueue(limits: Partial<ConstructorParameters<typeof Turns>[0]>) {
  const turns = new Turns({ ofProcess: Infinity, ofNetwork: Infinity, ...limits });
  const begun: string[] = [];
  const releases: (() => void)[] = [];
  const enter = (name: string, address: string) =>
    turns.enter(address, (release) => {
      begun.push(name);
      releases.push(release);
    });
  const end = (count = 1) => {
    for (let ended = 0; ended < count; ended++) releases.shift()!();
  };
  return { begun, enter, end, releases };
}
const [A, B, C] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];

test('networks take turns, however many requests one of them has', () => {
  const { begun, enter, end } = aQueue({ ofProcess: 1 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(name, A);
  for (const name of ['b1', 'b2']) enter(name, B);
  enter('c1', C);
  end(6);
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('an idle network comes first; at once again, it waits behind those that have waited since its last turn', () => {
  const { begun, enter, end } = aQueue({ ofProcess: 1 });
  for (const name of ['a1', 'a2', 'a3']) enter(name, A);
  for (const name of ['b1', 'b2', 'b3']) enter(name, B);
  end(2);
  enter('c1', C);
  end(1);
  enter('c2', C);
  end(4);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'c2', 'b3']);
});

test('many /64 of one /48 have one turn together', () => {
  const { begun, enter, end } = aQueue({ ofProcess: 1 });
  enter('first', C);
  for (const part of [1, 2, 3, 4]) enter(`wide ${part}`, `2001:db8:1:${part}::1`);
  for (const name of ['b1', 'b2']) enter(name, B);
  end(5);
  expect(begun).toEqual(['first', 'wide 1', 'b1', 'wide 2', 'b2', 'wide 3']);
});

test('a network runs no more than its limit, and others pass it', () => {
  const { begun, enter, end } = aQueue({ ofNetwork: 2 });
  for (const name of ['a1', 'a2', 'a3']) enter(name, A);
  enter('b1', B);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  end();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('a release counts once', () => {
  const { begun, enter, releases } = aQueue({ ofNetwork: 1 });
  for (const name of ['a1', 'a2', 'a3']) enter(name, A);
  for (let times = 0; times < 2; times++) releases[0]!();
  expect(begun).toEqual(['a1', 'a2']);
});

test('where they are paced, one begins in each turn of the event loop, a network after the other', async () => {
  const { begun, enter } = aQueue({ paced: true });
  for (const name of ['a1', 'a2', 'a3']) enter(name, A);
  enter('b1', B);
  const seen = [];
  for (let turn = 0; turn < 4; turn++) {
    seen.push(begun.join(' '));
    await new Promise(setImmediate);
  }
  expect(seen).toEqual(['a1', 'a1 b1', 'a1 b1 a2', 'a1 b1 a2 a3']);
});
