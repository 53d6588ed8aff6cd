import { beforeEach, expect, test } from '@jest/globals';
import { Clock } from '../clock.js';
import { type Board, CachedBoard } from './cached-board.js';

const entry = (playerId: string, score: number) => ({ playerId, score }) as Board[number];
const SECOND = 1_000;

let now: number;
let table: Board;
/** Reads that the database has not answered yet. */
let open: (() => void)[];
let board: CachedBoard;
beforeEach(() => {
  now = 5_000;
  open = [];
  table = [entry('first', 9), entry('second', 5)];
  const clock = Object.assign(new Clock(), { now: () => new Date(now) });
  const query = () => {
    const seen = table;
    return new Promise<Board>((resolve) => open.push(() => resolve(seen)));
  };
  board = new CachedBoard(2, query, clock);
});

async function filled(): Promise<void> {
  const reading = board.read(SECOND);
  open[0]!();
  await reading;
}

test('keeps a board until it is a second old', async () => {
  await filled();
  now += 999;
  expect(await board.read(SECOND)).toBe(table);
  now += 1;
  void board.read(SECOND);
  expect(open).toHaveLength(2);
});

test('reads again when the clock is set back', async () => {
  await filled();
  now -= 1;
  void board.read(SECOND);
  expect(open).toHaveLength(2);
});

test('does not join a slow reading that began a second ago', () => {
  void board.read(SECOND);
  now += 999;
  void board.read(SECOND);
  expect(open).toHaveLength(1);
  now += 1;
  void board.read(SECOND);
  expect(open).toHaveLength(2);
});

test('keeps the newest of two readings that end in the wrong order', async () => {
  const old = board.read(0);
  table = [entry('first', 10)];
  const newest = board.read(0);
  open[1]!();
  open[0]!();
  await Promise.all([old, newest]);
  expect(await board.read(SECOND)).toBe(table);
});

test.each([
  ['a game of a player on it', { playerId: 'second', score: 4 }, 2],
  ['a game that reaches the last score on it', { playerId: 'third', score: 5 }, 2],
  ['a new name or the deletion of a player on it', { playerId: 'first' }, 2],
  ['a game below it', { playerId: 'third', score: 4 }, 1],
  ['a new name or the deletion of a player below it', { playerId: 'third' }, 1],
])('after %s, reads the database so many times', async (_change, change, reads) => {
  await filled();
  board.note(change);
  void board.read(SECOND);
  expect(open).toHaveLength(reads);
});

test('drops a board that is not full after any game', async () => {
  table = [entry('first', 9)];
  await filled();
  board.note({ playerId: 'third', score: -5 });
  void board.read(SECOND);
  expect(open).toHaveLength(2);
});

test('neither joins nor keeps a reading that began before a change of its board', async () => {
  const before = board.read(SECOND);
  board.note({ playerId: 'second', score: 6 });
  void board.read(SECOND);
  expect(open).toHaveLength(2);
  open[0]!();
  await before;
  now += 10;
  void board.read(SECOND);
  // It joins the second reading.
  expect(open).toHaveLength(2);
});

test('forgets a reading that failed', async () => {
  let fail = true;
  const failing = new CachedBoard(
    2,
    () => (fail ? Promise.reject(new Error('away')) : Promise.resolve(table)),
    new Clock(),
  );
  await expect(failing.read(SECOND)).rejects.toThrow('away');
  fail = false;
  expect(await failing.read(SECOND)).toBe(table);
});
