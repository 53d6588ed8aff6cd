import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Difficulty, DIFFICULTIES } from '../../game/bot.js';
import { LINES } from '../../game/board.js';
import { type Result } from '../../game/rules.js';
import { aSite, eventually, isOperation } from '../support/page.js';
import { RESULTS, sitDown, type Table } from '../support/table.js';
import type { Visitor } from '../support/visitor.js';

const site = aSite();

/** A game in which time stands still until the test moves it. */
async function sitDownInStillTime() {
  const sitting = await sitDown(site, { prepare: (page) => page.clock.install() });
  // The ticket first: what is still under way shall not meet a stopped clock.
  await sitting.table.ticket();
  await stopTheClock(sitting.page);
  return sitting;
}

async function stopTheClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
}

async function statsOnServer(visitor: Visitor) {
  const { data } = await visitor.graphql<{ myStats: unknown }>('{ myStats { score winStreak wins losses draws } }');
  return data?.myStats;
}

/** Plays this game by the plan, moving the still clock over each of the bot's pauses. */
async function playInStillTime(table: Table, result: Result): Promise<void> {
  const squares = await table.plan(result);
  // Time stands still for the page alone, and the server takes no game that was played in no time.
  await site.server.moveClock(5_000);
  for (const square of squares) {
    await table.myTurn();
    await table.click(square);
    await table.page.clock.runFor(500);
  }
}

describe('a game ends as it is played', () => {
  const games: [Difficulty, Result, string[]][] = [
    ['easy', 'win', ['1', '1/3', '1', '0', '0']],
    ['easy', 'lose', ['−1', '0/3', '0', '1', '0']],
    ['medium', 'win', ['1', '1/3', '1', '0', '0']],
    ['medium', 'draw', ['0', '0/3', '0', '0', '1']],
    ['hard', 'lose', ['−1', '0/3', '0', '1', '0']],
    ['hard', 'draw', ['0', '0/3', '0', '0', '1']],
  ];
  test.each(games)('%s, %s', async (difficulty, result, stats) => {
    const { table, visitor } = await sitDown(site);
    if (difficulty === 'medium') await table.ticket();
    else await table.choose(difficulty);
    await table.play(result);

    expect(await table.status('Your turn (X)').count()).toBe(0);
    const marks = await table.marks();
    const winner = LINES.map((line) => line.map((square) => marks[square]).join('')).find((line) =>
      /XXX|OOO/.test(line),
    );
    expect(winner).toBe({ win: 'XXX', lose: 'OOO', draw: undefined }[result]);
    if (result === 'draw') expect(marks).not.toContain('.');

    const [score, streak, wins, losses, draws] = stats as [string, string, string, string, string];
    await table.statsBecome(score, streak, wins, losses, draws);
    expect(await statsOnServer(visitor)).toEqual({
      score: Number(score.replace('−', '-')),
      winStreak: Number(streak[0]),
      wins: Number(wins),
      losses: Number(losses),
      draws: Number(draws),
    });
  });
});

test('the third win in a row gives the bonus point, and the streak begins anew', async () => {
  const { page, table, visitor } = await sitDown(site);
  const bonus = table.status('🎉 3 WINS IN A ROW! +1 BONUS POINT!');
  await table.choose('easy');
  await table.play('win');
  await table.statsBecome('1', '1/3', '1', '0', '0');
  await table.newGame();
  await table.play('win');
  await table.statsBecome('2', '2/3', '2', '0', '0');
  expect(await bonus.count()).toBe(0);

  await table.newGame();
  await table.play('win');
  await bonus.waitFor();
  expect(await table.status(RESULTS.win).isVisible()).toBe(true);
  await table.statsBecome('4', '0/3', '3', '0', '0');
  expect(await statsOnServer(visitor)).toMatchObject({ score: 4, winStreak: 0, wins: 3 });

  await table.newGame();
  await table.play('win');
  await table.statsBecome('5', '1/3', '4', '0', '0');
  expect(await bonus.count()).toBe(0);
  await page.reload();
  await table.statsBecome('5', '1/3', '4', '0', '0');
});

test('a draw or a loss ends the streak', async () => {
  const { table } = await sitDown(site);
  await table.choose('easy');
  await table.play('win');
  await table.newGame();
  await table.play('win');
  await table.statsBecome('2', '2/3', '2', '0', '0');
  await table.newGame();
  await table.play('lose');
  await table.statsBecome('1', '0/3', '2', '1', '0');
});

test('the bot answers after half a second and not before, and the status says whose turn it is', async () => {
  const { page, table } = await sitDownInStillTime();
  expect(await table.status('Your turn (X)').isVisible()).toBe(true);
  await table.click(0);
  await table.status("Bot's turn (O)...").waitFor();
  expect(await table.marks()).toBe('X........');
  await page.clock.runFor(499);
  expect(await table.marks()).toBe('X........');
  await page.clock.runFor(1);
  await table.myTurn();
  expect((await table.marks()).replace(/[^O]/g, '')).toBe('O');
});

test('clicks are ignored on a taken square, on the bot’s turn and after the end', async () => {
  const { page, table } = await sitDownInStillTime();
  await table.click(4);
  await table.click(0);
  await table.click(4);
  expect(await table.marks()).toBe('....X....');
  await page.clock.runFor(500);
  await table.myTurn();
  const taken = await table.marks();
  await table.click(4);
  await table.click(taken.indexOf('O'));
  expect(await table.marks()).toBe(taken);

  // A new game, played to its end.
  await table.newGame();
  await playInStillTime(table, 'win');
  await table.status(RESULTS.win).waitFor();
  const end = await table.marks();
  for (let square = 0; square < 9; square++) await table.click(square);
  await page.clock.runFor(10_000);
  expect(await table.marks()).toBe(end);
  expect(await table.status(RESULTS.win).isVisible()).toBe(true);
});

test('New Game while the bot thinks leaves an empty board, on which no O appears', async () => {
  const { page, table } = await sitDownInStillTime();
  await table.click(4);
  await page.clock.runFor(400);
  await table.newGame();
  expect(await table.marks()).toBe('.........');
  await page.clock.runFor(10_000);
  expect(await table.marks()).toBe('.........');
  expect(await table.status('Your turn (X)').isVisible()).toBe(true);
  await table.click(8);
  expect(await table.marks()).toBe('........X');
});

test('New Game after the end sets up an empty board of the same difficulty', async () => {
  const { table } = await sitDown(site);
  await table.choose('hard');
  await table.play('draw');
  await table.newGame();
  expect(await table.marks()).toBe('.........');
  expect(await table.radio('hard').isChecked()).toBe(true);
});

describe('the difficulty', () => {
  test('has three levels, each with its description', async () => {
    const { table } = await sitDown(site);
    const selector = table.page.getByRole('radiogroup', { name: 'Difficulty' });
    for (const text of ['Bot plays randomly', '50% smart moves', 'Unbeatable AI']) {
      expect(await selector.getByText(text, { exact: true }).isVisible()).toBe(true);
    }
    expect(await selector.getByRole('radio').count()).toBe(3);
  });

  test('is locked while a game goes on, and free again after it and after New Game', async () => {
    const { table } = await sitDown(site);
    await table.choose('easy');
    const locked = () => Promise.all(DIFFICULTIES.map((difficulty) => table.radio(difficulty).isDisabled()));
    expect(await locked()).toEqual([false, false, false]);
    await table.click(4);
    expect(await locked()).toEqual([true, true, true]);
    await table.newGame();
    expect(await locked()).toEqual([false, false, false]);
    await table.play('win');
    expect(await locked()).toEqual([false, false, false]);
  });

  test('resets the board a tenth of a second after it is changed', async () => {
    const { page, table } = await sitDownInStillTime();
    await playInStillTime(table, 'win');
    await table.status(RESULTS.win).waitFor();
    await table.radio('hard').click();
    await page.clock.runFor(99);
    expect(await table.status(RESULTS.win).isVisible()).toBe(true);
    await page.clock.runFor(1);
    await table.myTurn();
    expect(await table.marks()).toBe('.........');
    expect(await table.radio('hard').isChecked()).toBe(true);
  });
});

test('the stats count a game at once, and are fetched again 300 ms and 500 ms after the save', async () => {
  const { page, table } = await sitDownInStillTime();
  const fetches: string[] = [];
  page.on('request', (request) => void (isOperation('MyStats')(request) && fetches.push(request.url())));
  const squares = await table.plan('win');
  await site.server.moveClock(5_000);
  for (const square of squares.slice(0, -1)) {
    await table.click(square);
    await page.clock.runFor(500);
    await table.myTurn();
  }
  await table.click(squares.at(-1)!);
  await table.statsBecome('1', '1/3', '1', '0', '0');
  // The game leaves the storage when the server's answer has been taken in.
  await eventually(
    () => page.evaluate('Object.keys(localStorage).filter((key) => key.includes(".outbox.")).length'),
    0,
  );
  const fetched = () => Promise.resolve(fetches.length);
  await page.clock.runFor(299);
  expect(await fetched()).toBe(0);
  const answered = page.waitForResponse((response) => isOperation('MyStats')(response.request()));
  await page.clock.runFor(1);
  await eventually(fetched, 1);
  // What is asked for while the answer is under way shares it.
  await (await answered).finished();
  await page.clock.runFor(199);
  expect(await fetched()).toBe(1);
  await page.clock.runFor(1);
  await eventually(fetched, 2);
  await page.clock.runFor(10_000);
  expect(await fetched()).toBe(2);
});
