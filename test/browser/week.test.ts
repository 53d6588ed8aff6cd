import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { weekAfter, weekOf } from '../../game/week.js';
import { aSite, eventually } from '../support/page.js';
import { playGame } from '../support/play.js';
import { emptyLeaderboard } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { fillWeek } from '../support/weeks.js';

const MINUTE = 60_000;
const site = aSite();

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Leaderboard' });

test('this week opens first. It ends at once on Monday 00:00 UTC in every time zone', async () => {
  const { server } = site;
  await emptyLeaderboard(server);
  await server.stopClock();
  const now = Date.now();
  const week = weekOf(new Date(now));
  const time = Date.parse(weekAfter(week)) - 2 * MINUTE;
  await server.moveClock(time - now);
  await fillWeek(server, week, 11);
  const visitor = await aSignedInVisitor(server, { name: 'Kiri' });
  await playGame(server, visitor, { result: 'draw' });
  const { page } = await site.openGame({
    as: visitor,
    timezoneId: 'Pacific/Auckland',
    prepare: (page) => page.clock.install({ time }),
  });

  await page.keyboard.press('l');
  const tabs = dialog(page).getByRole('tablist', { name: 'Leaderboard' });
  const tab = (name: string) => tabs.getByRole('tab', { name });
  const place = async () => [await dialog(page).boundingBox(), await tabs.boundingBox()];
  expect(await tab('This week').getAttribute('aria-selected')).toBe('true');
  const panel = dialog(page).getByRole('tabpanel', { name: 'This week' });
  await eventually(() => panel.getByRole('listitem').count(), 10);
  await panel.getByText(/^Until Monday 13:00, in [12] minutes?$/).waitFor();
  const own = dialog(page).getByRole('list', { name: 'Your place' }).getByRole('listitem');
  await own.waitFor();
  expect(await own.innerText()).toMatch(/^#12\s+Kiri\s+You\s+0\s+points$/);
  const before = await place();

  await server.moveClock(2 * MINUTE);
  await page.clock.fastForward(2 * MINUTE);
  await panel.getByText('The week is young').waitFor();
  await panel.getByText('Until Monday 13:00, in 6 days', { exact: true }).waitFor();

  await tab('This week').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await eventually(() => panel.getByRole('listitem').count(), 10);
  await own.waitFor();
  expect(await place()).toEqual(before);

  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await dialog(page).getByRole('tabpanel', { name: 'All time' }).getByText('Kiri', { exact: true }).waitFor();
  expect(await place()).toEqual(before);
});
