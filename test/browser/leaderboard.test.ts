import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { addResult, noStats, type Stats } from '../../game/scoring.js';
import { weekAfter, weekOf } from '../../game/week.js';
import { launchWithTextSize } from '../support/chromium.js';
import { aSite, eventually, isOperation, stopClock } from '../support/page.js';
import { playGame } from '../support/play.js';
import { emptyLeaderboard } from '../support/server.js';
import { sitDown } from '../support/table.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';
import { fillWeek } from '../support/weeks.js';
import { expectInView, expectNoSidewaysScroll } from './inView.js';

const MINUTE = 60_000;
const site = aSite();

beforeEach(async () => {
  await site.server.resetClock();
  await emptyLeaderboard(site.server);
});

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Leaderboard' });

async function openLeaderboard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Leaderboard', exact: true }).click();
  await dialog(page).waitFor();
}

/** Matches the messages of the socket that carry the leaderboard. */
const isBoard = ({ payload }: { payload: string | Buffer }) =>
  (JSON.parse(String(payload)) as { type: string }).type === 'next';

/** Reports this many wins and then one loss. */
async function report(visitor: Visitor, wins: number): Promise<Stats> {
  let stats = noStats;
  for (const result of [...Array.from({ length: wins }, () => 'win' as const), 'lose' as const]) {
    await visitor.report(result);
    stats = addResult(stats, result, 'easy').stats;
  }
  return stats;
}

/** Adds so many players, the first with the most wins. */
async function fill(players: number) {
  const ranks = Array.from({ length: players }, (_, at) => at + 1);
  return Promise.all(
    ranks.map(async (rank) => {
      const visitor = await aSignedInVisitor(site.server, { name: `Number ${rank}` });
      return { visitor, stats: await report(visitor, players + 1 - rank) };
    }),
  );
}

test('shows the first ten and the place of a player below, in view on any screen, with one request for each', async () => {
  const players = await fill(12);
  let dialogs!: Promise<Response>;
  const prepare = async (page: Page) => {
    dialogs = page.waitForResponse(/dialogs-.*\.js$/);
    await page.clock.install();
  };
  const { page } = await site.openGame({ as: players[11]!.visitor, prepare });
  // A dialog whose code is there waits for no timer.
  await page.evaluate(`import('${(await dialogs).url()}')`);
  const asked: string[] = [];
  page.on('request', (request) => {
    for (const name of ['WeekLeaderboard', 'Leaderboard', 'LeaderboardAround'])
      if (isOperation(name)(request)) asked.push(name);
  });
  const live = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived', isBoard));
  // Until the socket is live, the page would ask again after five seconds.
  await stopClock(page);
  await openLeaderboard(page);
  const standing = dialog(page).getByText('#12', { exact: true });
  await Promise.all([live, standing.waitFor()]);
  const pinned = dialog(page).getByRole('list', { name: 'Your place' }).getByRole('listitem');
  await eventually(() => pinned.count(), 2);
  expect(await pinned.first().innerText()).toMatch(/^#11\s+Number 11\s/);
  expect(await pinned.last().innerText()).toMatch(/^#12\s+Number 12\s+You\s/);
  await page.clock.runFor(100);
  expect(asked).toEqual(['Leaderboard', 'LeaderboardAround']);
  await page.clock.resume();

  const rows = dialog(page).locator('.leaderboard-list').getByRole('listitem');
  expect(await rows.count()).toBe(10);
  for (const [at, { stats }] of players.slice(0, 10).entries()) {
    const row = rows.nth(at);
    const rank = at + 1;
    expect(await row.getByText(`Number ${rank}`, { exact: true }).isVisible()).toBe(true);
    const medal = [undefined, 'Gold medal, rank 1', 'Silver medal, rank 2', 'Bronze medal, rank 3'][rank];
    if (medal) expect(await row.getByRole('img', { name: medal }).isVisible()).toBe(true);
    else expect(await row.getByText(`#${rank}`, { exact: true }).isVisible()).toBe(true);
    expect(await row.getByRole('img', { name: /medal/ }).count()).toBe(medal ? 1 : 0);

    const games = stats.wins + stats.losses;
    const text = await row.innerText();
    expect(text).toContain(`${stats.wins}W · 1L · 0D`);
    expect(text).toContain(`${Math.round((stats.wins / games) * 100)}% win rate`);
    expect(text).toMatch(new RegExp(`\\b${stats.score}\\s+points$`));
  }

  const last = rows.nth(9);
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await eventually(
      async () => {
        const [row, own] = [(await last.boundingBox())!, (await pinned.first().boundingBox())!];
        return { width, isAbove: row.y + row.height <= own.y };
      },
      { width, isAbove: true },
    );
  }

  const withLargeText = await launchWithTextSize(32);
  const { name, email } = players[11]!.visitor.user;
  const again = await aSignedInVisitor(site.server, { name, email: email });
  const large = await site.openGame({ as: again, browser: withLargeText });
  await openLeaderboard(large.page);
  for (const size of ['1280x800', '320x640']) await expectSeenWhole(large.page, size);
  await dialog(large.page).getByRole('tab', { name: 'Week' }).click();
  await dialog(large.page).getByText('The week is young').waitFor();
  expect(
    await dialog(large.page)
      .locator('.dialog-body')
      .evaluate((body) => body.scrollWidth - body.clientWidth),
  ).toBe(0);
  for (const size of ['1280x800', '320x640', '320x568', '568x320', '320x200']) await expectSeenWhole(page, size);
  await large.page.context().close();
  await withLargeText.close();
});

/** Expects the place and Close in view without an overlap, and a part of the list. */
async function expectSeenWhole(page: Page, size: string): Promise<void> {
  const [width = 0, height = 0] = size.split('x').map(Number);
  await page.setViewportSize({ width, height });
  const standing = dialog(page).getByText('#12', { exact: true });
  const close = dialog(page).getByRole('button', { name: 'Close' });
  await expectInView(page, standing, close);
  const [above, below] = [(await standing.boundingBox())!, (await close.boundingBox())!];
  const isClear = above.y + above.height <= below.y || above.x + above.width <= below.x;
  const { seen, sideways } = await dialog(page)
    .locator('.dialog-body')
    .evaluate(({ clientHeight, clientWidth, scrollWidth }) => ({
      seen: clientHeight >= 48,
      sideways: scrollWidth - clientWidth,
    }));
  expect({ size, isClear, seen, sideways }).toEqual({ size, isClear: true, seen: true, sideways: 0 });
}

test('keeps the own row in view while a small screen scrolls the ten', async () => {
  const players = await fill(10);
  for (const at of [8, 0]) {
    const { page } = await site.openGame({ as: players[at]!.visitor, viewport: { width: 320, height: 568 } });
    await openLeaderboard(page);
    const rows = dialog(page).locator('.leaderboard-list').getByRole('listitem');
    await eventually(() => rows.count(), 10);
    const own = rows.filter({ has: page.getByText('You', { exact: true }) });
    await own.getByText(`Number ${at + 1}`, { exact: true }).waitFor();
    const body = dialog(page).locator('.dialog-body');
    const seen = async () => {
      const [row, frame] = [(await own.boundingBox())!, (await body.boundingBox())!];
      return row.y >= frame.y - 1 && row.y + row.height <= frame.y + frame.height + 1;
    };
    await eventually(seen, true);
    await body.evaluate((element) => (element.scrollTop = element.scrollHeight));
    await eventually(seen, true);
    // Another row is where the scroll position puts it.
    const last = rows.nth(9);
    expect(await last.evaluate((row) => row.getBoundingClientRect().top > 0)).toBe(true);
  }
});

test('invites to be the first when there are no players, and then shows the first win', async () => {
  const { page, table } = await sitDown(site, { name: 'The First' });
  await openLeaderboard(page);
  await dialog(page).getByText('No players yet. Be the first!').waitFor();
  await page.keyboard.press('Escape');
  await table.choose('easy');
  await table.play('win');
  await table.statsBecome('1', '1/3', '1', '0', '0');
  await openLeaderboard(page);
  const row = dialog(page).getByRole('listitem').filter({ hasText: 'The First' });
  await row.waitFor();
  expect(await row.getByText('You', { exact: true }).isVisible()).toBe(true);
  // The only player is invited to invite others.
  expect(await dialog(page).getByText('Up for grabs').count()).toBe(2);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog(page).getByRole('button', { name: 'Invite a friend' }).click();
  await dialog(page).getByText('Address copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(site.origin);
});

test('closes with Close, Escape and a click on the backdrop, but not inside, and returns the focus to its button', async () => {
  const names = ['<img src=x onerror=alert(1)>', 'مريم', 'W'.repeat(50)];
  for (const name of names) await report(await aSignedInVisitor(site.server, { name }), 1);
  const { page, table } = await sitDown(site);
  const ways = [
    () => dialog(page).getByRole('button', { name: 'Close' }).click(),
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(4, 4),
  ];
  for (const close of ways) {
    await openLeaderboard(page);
    await dialog(page).getByText('Top 10 Players').click();
    await dialog(page)
      .getByRole('heading', { name: 'Leaderboard' })
      .click({ position: { x: 2, y: 2 } });
    // A press that begins inside and ends on the backdrop.
    await page.mouse.down();
    await page.mouse.move(4, 4);
    await page.mouse.up();
    expect(await dialog(page).isVisible()).toBe(true);
    await close();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await page.locator(':focus').ariaSnapshot()).toMatch(/^- button "Leaderboard"/);
  }
  // It keeps the keyboard away from the game behind it.
  await openLeaderboard(page);
  // Markup, another script and the longest name are names like others.
  for (const name of names) await dialog(page).getByText(name, { exact: true }).waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  for (const key of ['n', '1']) await page.keyboard.press(key);
  for (let presses = 0; presses < 6; presses++) {
    await page.keyboard.press('Tab');
    // After the last stop of a dialog the browser's own bar has the focus, and then no part of the page.
    expect(await page.evaluate('document.activeElement.matches("body, dialog, dialog *")')).toBe(true);
  }
  await page.keyboard.press('Escape');
  expect(await table.radio('medium').isChecked()).toBe(true);
});

test('all time opens first. This week ends at once on Monday 00:00 UTC in every time zone', async () => {
  const { server } = site;
  await server.stopClock();
  const now = Date.now();
  const week = weekOf(new Date(now));
  const time = Date.parse(weekAfter(week)) - 9 * MINUTE;
  await server.moveClock(time - now);
  await fillWeek(server, week, 11);
  const visitor = await aSignedInVisitor(server, { name: 'Kiri' });
  await playGame(server, visitor, { result: 'draw' });
  const { page } = await site.openGame({
    as: visitor,
    // It has no summer time.
    timezoneId: 'Pacific/Tongatapu',
    prepare: (page) => page.clock.install({ time }),
  });

  await page.keyboard.press('l');
  const tabs = dialog(page).getByRole('tablist', { name: 'Leaderboard' });
  const tab = (name: string) => tabs.getByRole('tab', { name });
  const place = async () => [await dialog(page).boundingBox(), await tabs.boundingBox()];
  // It remembers no other tab.
  for (let times = 1; times <= 2; times++) {
    await eventually(() => tabs.getByRole('tab').allInnerTexts(), ['All time', 'Week']);
    expect(await tab('All time').getAttribute('aria-selected')).toBe('true');
    await tab('Week').click();
    await dialog(page).getByRole('tabpanel', { name: 'Week' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.keyboard.press('l');
  }
  await tab('Week').click();
  const panel = dialog(page).getByRole('tabpanel', { name: 'Week' });
  await eventually(() => panel.getByRole('listitem').count(), 10);
  await panel.getByText(/^Until Monday 13:00, in\s\d\sminutes?$/).waitFor();
  const own = dialog(page).getByRole('list', { name: 'Your place' }).getByRole('listitem');
  await own.waitFor();
  expect(await own.innerText()).toMatch(/^#12\s+Kiri\s+You\s+0\s+points$/);
  const before = await place();

  await server.moveClock(9 * MINUTE);
  await page.clock.fastForward(9 * MINUTE);
  await panel.getByText('The week is young').waitFor();
  await panel.getByText('Until Monday 13:00, in 6 days', { exact: true }).waitFor();

  await tab('Week').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await eventually(() => panel.getByRole('listitem').count(), 10);
  await own.waitFor();
  expect(await place()).toEqual(before);

  await page.keyboard.press('Shift+Tab');
  for (const [key, name] of [
    ['ArrowLeft', 'All time'],
    ['End', 'Week'],
    ['ArrowRight', 'All time'],
    ['ArrowLeft', 'Week'],
    ['Home', 'All time'],
  ] as const) {
    await page.keyboard.press(key);
    const panel = dialog(page).getByRole('tabpanel', { name });
    await panel.waitFor();
    expect(await page.locator('[role=tab][aria-selected=true]:focus').innerText()).toBe(name);
    expect(await tab(name).getAttribute('aria-controls')).toBe(await panel.getAttribute('id'));
  }
  await dialog(page).getByRole('tabpanel').getByText('Kiri', { exact: true }).waitFor();
  expect(await place()).toEqual(before);
});

describe('while it is open', () => {
  /** A page with the leaderboard open, its requests and the messages of its sockets. */
  async function aWatcher() {
    const { page } = await site.openGame();
    const sockets: string[] = [];
    const heard: string[] = [];
    const asked: string[] = [];
    page.on('websocket', (socket) => {
      sockets.push(socket.url());
      socket.on('framereceived', ({ payload }) => void heard.push(String(payload)));
    });
    await openLeaderboard(page);
    await dialog(page).getByText('No players yet').waitFor();
    // Without a live socket, the page asks every five seconds.
    await eventually(() => Promise.resolve(heard.some((payload) => isBoard({ payload }))), true);
    page.on('request', (request) => void (isOperation('Leaderboard')(request) && asked.push(request.url())));
    return { page, sockets, heard, asked };
  }

  test('hears of the games of others by one socket, and of many games by one message a second', async () => {
    const { page, sockets, heard, asked } = await aWatcher();
    const began = performance.now();
    const players = await Promise.all(Array.from({ length: 6 }, () => aSignedInVisitor(site.server)));
    await Promise.all(players.map((player) => report(player, 10)));
    await report(await aSignedInVisitor(site.server, { name: 'The Last' }), 1);
    const row = dialog(page).getByRole('listitem').filter({ hasText: 'The Last' });
    await row.getByText('1W · 1L · 0D').waitFor();
    expect(sockets).toEqual([`${site.origin.replace('http', 'ws')}/graphql`]);
    expect(asked).toEqual([]);
    const seconds = (performance.now() - began) / 1_000;
    const updates = heard.filter((payload) => isBoard({ payload }));
    // The first message is the state before.
    expect(updates.length).toBeGreaterThan(0);
    expect(updates.length - 1).toBeLessThanOrEqual(seconds + 1);
  });
});
