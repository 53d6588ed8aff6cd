import { expect, test } from '@jest/globals';
import { aSite, isOperation } from '../support/page.js';
import { sitDown, Table } from '../support/table.js';
import { aSignedInVisitor } from '../support/visitor.js';

const HOUR = 3_600_000;
const site = aSite({ env: { GAMES_PER_DAY: '2' } });

const PRACTICE = "That's 2 games today. Points are back at 01:00.";
const KEPT = "That's 2 games today. This one counts from 01:00.";

test('games over the daily limit are practice until midnight, in every tab and on every device', async () => {
  const noon = (Math.floor(Date.now() / (24 * HOUR)) + 1.5) * 24 * HOUR;
  await site.server.moveClock(noon - Date.now());
  const person = { name: 'Ada Lovelace', email: 'ada-of-the-day@example.org' };
  const options = { clock: { time: noon }, timezoneId: 'Africa/Lagos' };
  const { page, table } = await sitDown(site, { ...options, as: await aSignedInVisitor(site.server, person) });
  // The phone's clock is a day ahead.
  const ahead = { ...options, clock: { time: noon + 24 * HOUR } };
  const phone = await sitDown(site, { ...ahead, as: await aSignedInVisitor(site.server, person) });
  await phone.table.ticket();
  const tab = await Table.at(await page.context().newPage(), site.server, { real: true });
  await tab.page.goto(page.url());
  await tab.myTurn();
  // A tab that opened later would start at this difficulty, and use the tickets that this one has stored.
  await table.choose('easy');
  await table.fetchedAhead();
  let saves = 0;
  page.on('request', (request) => void (isOperation('FinishGame')(request) && (saves += 1)));

  await table.play('win');
  await table.newGame();
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
  expect(saves).toBe(2);
  await table.statsBecome('2', '2/3', '2', '0', '0');

  // The phone's ticket is older, so only the end of its game shows the limit there.
  await phone.table.play('win');
  await phone.table.notice(KEPT).waitFor();
  await phone.table.newGame();
  await phone.table.notice(PRACTICE).waitFor();

  await site.server.moveClock(12 * HOUR);
  for (const device of [page, phone.page]) await device.clock.fastForward(12 * HOUR);
  await phone.table.statsBecome('4', '0/3', '3', '0', '0');
  for (const board of [tab, phone.table]) await board.notice(PRACTICE).waitFor({ state: 'hidden' });
  await table.newGame();
  await table.notice(PRACTICE).waitFor({ state: 'hidden' });
});
