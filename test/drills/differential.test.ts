import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { onBoth, Side, type Sides } from './differential/side.js';
import { Stream } from './differential/stream.js';

/** The folder of a built revision: `npm run differential-drill -- FOLDER` names it. */
const { OTHER_REVISION, GAMES = '100000', SEED = '1' } = process.env;
const THIS_REVISION = fileURLToPath(new URL('../..', import.meta.url));

jest.setTimeout(3_600_000);

const describeWithOther = OTHER_REVISION ? describe : describe.skip;

describeWithOther('With another revision (npm run differential-drill -- FOLDER)', () => {
  const start = Stream.startOf(new Date());
  let sides: Sides;
  beforeAll(async () => {
    sides = [
      await Side.start('the other revision', OTHER_REVISION!, start),
      await Side.start('this revision', THIS_REVISION, start),
    ];
  });
  afterAll(async () => void (await onBoth(sides, (side) => side.remove())));

  test('one stream of games leaves the same rows and answers', async () => {
    const stream = new Stream(sides, start, { games: Number(GAMES), seed: Number(SEED) });
    await stream.play();
    const notes = await stream.compare();
    process.stdout.write(['', ...notes, ...stream.differences.lines(), ''].join('\n'));
    expect(stream.differences.summary()).toEqual([]);
  });
});
