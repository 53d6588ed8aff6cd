import { expect, test } from '@jest/globals';
import { aSite, isOperation } from '../support/page.js';
import { playGame } from '../support/play.js';
import { sitDown, Table } from '../support/table.js';
import { aSignedInVisitor } from '../support/visitor.js';

const HOUR = 3_600_000;
const site = aSite({ env: { GAMES_PER_DAY: '2' } });

const PRACTICE = "That's 2 games today. Points are back at 01:00.";

test('games over the daily limit are practice until midnight, in every tab', async () => {
  const noon = (Math.floor(Date.now() / (24 * HOUR)) + 1.5) * 24 * HOUR;
  await site.server.moveClock(noon - Date.now());
  const visitor = await aSignedInVisitor(site.server);
  // Another device has played a game, and the clock of this one is a day ahead.
  await playGame(site.server, visitor, { result: 'win' });
  const clock = { time: noon + 24 * HOUR };
  const { page, table } = await sitDown(site, { as: visitor, clock, timezoneId: 'Africa/Lagos' });
  const tab = await Table.at(await page.context().newPage(), site.server, { real: true });
  await tab.page.goto(page.url());
  await tab.myTurn();
  let saves = 0;
  page.on('request', (request) => void (isOperation('FinishGame')(request) && (saves += 1)));

  await table.choose('easy');
  await table.play('win');
  await table.statsBecome('2', '2/3', '2', '0', '0');
  // This game is the last that counts, so the notice comes with the next one; the other tab shows it at once.
  expect(await table.notice(PRACTICE).count()).toBe(0);
  await tab.notice(PRACTICE).waitFor();
  await table.newGame();
  await table.notice(PRACTICE).waitFor();
  await table.playOn();
  // It is over, and claims no point.
  expect(await page.getByRole('region', { name: 'Tic-Tac-Toe' }).getByText('1 Point').count()).toBe(0);
  expect(saves).toBe(1);
  await table.statsBecome('2', '2/3', '2', '0', '0');

  await site.server.moveClock(12 * HOUR);
  await page.clock.fastForward(12 * HOUR);
  await tab.notice(PRACTICE).waitFor({ state: 'hidden' });
  await table.newGame();
  await table.notice(PRACTICE).waitFor({ state: 'hidden' });
});
