import { EventEmitter } from 'node:events';
import { expect, jest, test } from '@jest/globals';
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
  const end = async (count = 1) => {
    for (let ended = 0; ended < count; ended++) {
      releases.shift()!();
      await Promise.resolve();
    }
  };
  return { begun, enter, end };
}

test('networks take turns, however many requests one of them has', async () => {
  const { begun, enter, end } = aQueue();
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(name, A);
  for (const name of ['b1', 'b2']) enter(name, B);
  enter('c1', C);
  await end(6);
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('an idle network comes first; at once again, it waits behind those that have waited since its last turn', async () => {
  const { begun, enter, end } = aQueue();
  for (const name of ['a1', 'a2', 'a3']) enter(name, A);
  for (const name of ['b1', 'b2', 'b3']) enter(name, B);
  await end(2);
  enter('c1', C);
  await end(1);
  enter('c2', C);
  await end(4);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'c2', 'b3']);
});

test('all /64 of a /48 are one network', async () => {
  const { begun, enter, end } = aQueue();
  for (const part of [1, 2, 3]) enter(`a${part}`, `2001:db8:1:${part}::1`);
  enter('b1', '2001:db8:2::1');
  await end(3);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('ten thousand that give their turn back at once leave the next one free', async () => {
  const turns = new Turns(1);
  let release!: () => void;
  turns.enter(A, (given) => (release = given));
  for (let count = 0; count < 10_000; count++) turns.enter(A, (given) => given());
  release();
  await new Promise(setImmediate);
  expect(turns.waiting).toBe(0);
  const begin = jest.fn();
  turns.enter(B, begin);
  expect(begin).toHaveBeenCalled();
});

test('one that leaves the queue is not counted, and does not begin', async () => {
  const turns = new Turns(1);
  let release!: () => void;
  turns.enter(A, (given) => (release = given));
  const begin = jest.fn();
  const leave = turns.enter(B, begin);
  for (let times = 0; times < 2; times++) leave();
  expect(turns.waiting).toBe(0);
  release();
  await new Promise(setImmediate);
  expect(begin).not.toHaveBeenCalled();
});

/** Costly work of one network, and what of it has begun. */
function costlyWork() {
  const costly = new CostlyWork();
  const begun: string[] = [];
  const begin = (name: string, client: EventEmitter) => costly.begin(A, client, () => void begun.push(name));
  return { begun, begin };
}

test('other sockets are read before the next costly work begins', async () => {
  const { begun, begin } = costlyWork();
  for (const name of ['first', 'second']) begin(name, new EventEmitter());
  expect(begun).toEqual(['first']);
  await new Promise(setImmediate);
  expect(begun).toEqual(['first', 'second']);
});

test('costly work of a client that has left does not begin', async () => {
  const { begun, begin } = costlyWork();
  const [stays, leaves] = [new EventEmitter(), new EventEmitter()];
  begin('first', stays);
  begin('second', leaves);
  begin('third', stays);
  leaves.emit('close');
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  expect(begun).toEqual(['first', 'third']);
  expect(stays.listenerCount('close')).toBe(0);
});
