import { expect, test } from '@jest/globals';
import { CostlyWork, Turns } from './turns.js';

const [A, B, C] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'] as const;

/** One runs at a time, until the test says that the oldest ends. */
function aQueue() {
  const turns = new Turns(1);
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

test('networks take turns, however many requests one of them has', () => {
  const { begun, enter, end } = aQueue();
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(name, A);
  for (const name of ['b1', 'b2']) enter(name, B);
  enter('c1', C);
  end(6);
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('an idle network comes first; at once again, it waits behind those that have waited since its last turn', () => {
  const { begun, enter, end } = aQueue();
  for (const name of ['a1', 'a2', 'a3']) enter(name, A);
  for (const name of ['b1', 'b2', 'b3']) enter(name, B);
  end(2);
  enter('c1', C);
  end(1);
  enter('c2', C);
  end(4);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'c2', 'b3']);
});

test('a release counts once', () => {
  const { begun, enter, releases } = aQueue();
  for (const name of ['a1', 'a2', 'a3']) enter(name, A);
  for (let times = 0; times < 2; times++) releases[0]!();
  expect(begun).toEqual(['a1', 'a2']);
});

test('all /64 of a /48 are one network', () => {
  const { begun, enter, end } = aQueue();
  for (const part of [1, 2, 3]) enter(`a${part}`, `2001:db8:1:${part}::1`);
  enter('b1', '2001:db8:2::1');
  end(3);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('other sockets are read before the next costly work begins', async () => {
  const costly = new CostlyWork();
  const begun: string[] = [];
  for (const name of ['first', 'second']) costly.begin('203.0.113.1', () => void begun.push(name));
  expect(begun).toEqual(['first']);
  await new Promise(setImmediate);
  expect(begun).toEqual(['first', 'second']);
});
