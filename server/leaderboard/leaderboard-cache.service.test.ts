import { beforeEach, expect, test } from '@jest/globals';
import { Clock } from '../base/clock.js';
import { CachedEntries, type Entries } from './leaderboard-cache.service.js';

const entry = (playerId: string, score: number) => ({ playerId, score }) as Entries[number];
const SECOND = 1_000;

let now: number;
let table: Entries;
/** Reads that the database has not answered yet. */
let open: (() => void)[];
let list: CachedEntries;
beforeEach(() => {
  now = 5_000;
  open = [];
  table = [entry('first', 9), entry('second', 5)];
  const clock = Object.assign(new Clock(), { now: () => new Date(now) });
  const top = () => {
    const seen = table;
    return new Promise<Entries>((resolve) => open.push(() => resolve(seen)));
  };
  list = new CachedEntries(2, top, clock);
});

async function filled(): Promise<void> {
  const reading = list.read(SECOND);
  open[0]!();
  await reading;
}

/** Ends the reading that runs, and lets the next one begin. */
async function endReading(): Promise<void> {
  open.at(-1)!();
  await new Promise(setImmediate);
}

test('does not join a slow reading that began a second ago, but waits for the next one', async () => {
  const first = list.read(SECOND);
  now += 999;
  const joined = list.read(SECOND);
  const before = table;
  table = [entry('first', 10)];
  now += 1;
  const late = list.read(SECOND);
  await endReading();
  expect([await first, await joined]).toEqual([before, before]);
  await endReading();
  expect(await late).toBe(table);
  expect(open).toHaveLength(2);
});

test('a hundred pairs of an unrelated change and a read during a slow reading share one more query', async () => {
  const readers = [list.read(SECOND)];
  for (let at = 0; at < 100; at++) {
    list.invalidate({ playerId: `below ${at}`, score: 0 });
    readers.push(list.read(SECOND));
  }
  await endReading();
  await endReading();
  await Promise.all(readers);
  expect(open).toHaveLength(2);
});

test('a reader who refuses older data begins a reading after the running one', async () => {
  const before = list.read(0);
  const old = table;
  table = [entry('first', 10)];
  const after = list.read(0);
  expect(open).toHaveLength(1);
  await endReading();
  await endReading();
  expect([await before, await after]).toEqual([old, table]);
  expect(await list.read(SECOND)).toBe(table);
});

test.each([
  ['a game of a player on it', { playerId: 'second', score: 4 }, 2],
  ['a game that reaches the last score on it', { playerId: 'third', score: 5 }, 2],
  ['a new name or the deletion of a player on it', { playerId: 'first' }, 2],
  ['a game below it', { playerId: 'third', score: 4 }, 1],
  ['a new name or the deletion of a player below it', { playerId: 'third' }, 1],
])('after %s, reads the database so many times', async (_change, change, reads) => {
  await filled();
  list.invalidate(change);
  void list.read(SECOND);
  expect(open).toHaveLength(reads);
});

test('drops a list that is not full after any game', async () => {
  table = [entry('first', 9)];
  await filled();
  list.invalidate({ playerId: 'third', score: -5 });
  void list.read(SECOND);
  expect(open).toHaveLength(2);
});

test('neither joins nor keeps a reading that began before a change of its entries', async () => {
  const before = list.read(SECOND);
  const change = { playerId: 'second', score: 6 };
  list.invalidate(change);
  await endReading();
  await before;
  table = [entry('first', 9), entry('second', 6)];
  const after = list.read(SECOND);
  expect(open).toHaveLength(2);
  list.invalidate(change);
  const own = list.read(SECOND);
  await endReading();
  await after;
  expect(open).toHaveLength(3);
  await endReading();
  expect(await own).toBe(table);
  expect(await list.read(SECOND)).toBe(table);
});

test('forgets readings that failed', async () => {
  let fail = true;
  const failing = new CachedEntries(
    2,
    () => (fail ? Promise.reject(new Error('away')) : Promise.resolve(table)),
    new Clock(),
  );
  const [first, next] = [failing.read(0), failing.read(0)];
  await expect(first).rejects.toThrow('away');
  await expect(next).rejects.toThrow('away');
  fail = false;
  expect(await failing.read(SECOND)).toBe(table);
});
