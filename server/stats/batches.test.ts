import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Unavailable } from '../base/errors.js';
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
    work: (items) =>
      new Promise((resolve, reject) => {
        const answer = () => {
          const bad = items.find((item) => item.startsWith('bad'));
          if (bad === undefined) resolve(items.map((item) => `${item} counted`));
          else reject(new Error(bad));
          return settled();
        };
        const lose = () => {
          reject(new Unavailable('lost'));
          return settled();
        };
        statements.push({ items, answer, lose });
      }),
    isOfOneItem: (error) => !(error instanceof Unavailable),
  });
  /** The items of one turn of the event loop. The answers are in an object, because an awaited promise would be awaited too. */
  const run = async (...items: string[]) => {
    const answers = Promise.allSettled(items.map((item) => batches.run(item))).then((all) =>
      all.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
    );
    await settled();
    return { answers };
  };
  return { statements, run, sent: () => statements.map(({ items }) => items.join(' ')) };
}

test('combines items up to the size, and tries each of a batch that one has failed alone, before later ones', async () => {
  const { statements, run, sent } = aDatabase({ concurrent: 1 });
  const { answers } = await run('a', 'bad', 'b', 'c');
  for (let at = 0; at < 5; at++) await statements[at]!.answer();
  expect(sent()).toEqual(['a bad b', 'a', 'bad', 'b', 'c']);
  expect(await answers).toEqual(['a counted', 'Error: bad', 'b counted', 'c counted']);
});

test('fails all items of a batch whose connection is lost', async () => {
  const { statements, run, sent } = aDatabase();
  const { answers } = await run('b', 'c');
  await statements[0]!.lose();
  expect(await answers).toEqual(['Unavailable: lost', 'Unavailable: lost']);
  expect(sent()).toEqual(['b c']);
});

test('fails an item that no batch takes within the lock timeout, and goes on afterwards', async () => {
  const { statements, run, sent } = aDatabase({ concurrent: 1 });
  const first = await run('slow');
  const waiting = await run('late');
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await waiting.answers).toEqual(['Unavailable: Too many games wait']);
  await statements[0]!.answer();
  const next = await run('next');
  await statements[1]!.answer();
  expect([await first.answers, await next.answers]).toEqual([['slow counted'], ['next counted']]);
  expect(sent()).toEqual(['slow', 'next']);
});
