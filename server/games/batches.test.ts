import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { DatabaseUnavailable } from '../database/unavailable.js';
import { Batches } from './batches.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Batches whose statements end when the test says so. A batch with a bad item fails. */
function aDatabase({ concurrent = 2, size = 3 } = {}) {
  const statements: { items: readonly string[]; answer: () => Promise<void>; lose: () => Promise<void> }[] = [];
  const settled = () => jest.advanceTimersByTimeAsync(0);
  const batches = new Batches<string, string>({
    concurrent,
    size,
    patience: 2_000,
    enter: (batch) => batch(),
    work: (items) =>
      new Promise((resolve, reject) => {
        const answer = () => {
          const bad = items.find((item) => item.startsWith('bad'));
          if (bad === undefined) resolve(items.map((item) => `${item} counted`));
          else reject(new Error(bad));
          return settled();
        };
        const lose = () => {
          reject(new DatabaseUnavailable('lost'));
          return settled();
        };
        statements.push({ items, answer, lose });
      }),
    isOfOneItem: (error) => !(error instanceof DatabaseUnavailable),
  });
  const run = (...items: string[]) =>
    Promise.allSettled(items.map((item) => batches.run(item))).then((all) =>
      all.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
    );
  return { statements, run, sent: () => statements.map(({ items }) => items.join(' ')) };
}

test('sends an item at once and alone while a place is free', async () => {
  const { statements, run, sent } = aDatabase();
  const first = run('a');
  const second = run('b');
  expect(sent()).toEqual(['a', 'b']);
  await statements[1]!.answer();
  await statements[0]!.answer();
  expect([await first, await second]).toEqual([['a counted'], ['b counted']]);
});

test('combines the items that arrive meanwhile, in their order and up to the size', async () => {
  const { statements, run, sent } = aDatabase();
  const answers = run('a', 'b', 'c', 'd', 'e', 'f');
  expect(sent()).toEqual(['a', 'b']);
  await statements[0]!.answer();
  expect(sent()).toEqual(['a', 'b', 'c d e']);
  await statements[1]!.answer();
  expect(sent()).toEqual(['a', 'b', 'c d e', 'f']);
  await statements[2]!.answer();
  await statements[3]!.answer();
  expect(await answers).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((item) => `${item} counted`));
});

test('tries each item of a failed batch again alone, and fails only the bad one', async () => {
  const { statements, run, sent } = aDatabase({ concurrent: 1 });
  const answers = run('a', 'b', 'bad', 'c');
  await statements[0]!.answer();
  await statements[1]!.answer();
  for (let at = 2; at < 5; at++) await statements[at]!.answer();
  expect(sent()).toEqual(['a', 'b bad c', 'b', 'bad', 'c']);
  expect(await answers).toEqual(['a counted', 'b counted', 'Error: bad', 'c counted']);
});

test('fails all items of a batch whose connection is lost', async () => {
  const { statements, run, sent } = aDatabase({ concurrent: 1 });
  const answers = run('a', 'b', 'c');
  await statements[0]!.answer();
  await statements[1]!.lose();
  expect(await answers).toEqual(['a counted', 'DatabaseUnavailable: lost', 'DatabaseUnavailable: lost']);
  expect(sent()).toEqual(['a', 'b c']);
});

test('fails an item that no batch takes within the lock timeout, and goes on afterwards', async () => {
  const { statements, run, sent } = aDatabase({ concurrent: 1 });
  const first = run('slow');
  const waiting = run('late');
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await waiting).toEqual(['DatabaseUnavailable: Too many games wait']);
  await statements[0]!.answer();
  const next = run('next');
  await statements[1]!.answer();
  expect([await first, await next]).toEqual([['slow counted'], ['next counted']]);
  expect(sent()).toEqual(['slow', 'next']);
});
