import { beforeEach, expect, test } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { weekAfter, weekOf } from '../../game/week.js';
import { aSite, eventually, isOperation, setTextSize, stopClock } from '../support/page.js';
import { playGame } from '../support/play.js';
import { emptyLeaderboard, query } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { fillWeek } from '../support/weeks.js';
import { expectInView, expectNoSidewaysScroll } from './inView.js';

const MINUTE = 60_000;
const site = aSite();

beforeEach(async () => {
  await site.server.resetClock();
  await emptyLeaderboard(site.server);
});

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Leaderboard' });
const rows = (page: Page) => dialog(page).locator('.leaderboard-list').getByRole('listitem');

async function openLeaderboard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Leaderboard', exact: true }).click();
  await dialog(page).waitFor();
}

/** Matches the messages of the socket that carry the leaderboard. */
const isBoard = (payload: string | Buffer) => (JSON.parse(String(payload)) as { type: string }).type === 'next';

/** Adds eleven players with one loss each: the first has 110 points, each of the others ten fewer. */
const fill = () =>
  query(
    site.server,
    `WITH made AS (
       INSERT INTO players (name, provider, created_at)
       SELECT 'Number ' || n, 'google', now() FROM generate_series(1, 11) AS n RETURNING id, substr(name, 8)::integer AS n
     )
     INSERT INTO player_stats (player_id, score, wins, easy_wins, losses, reached_at)
     SELECT id, points, points + 1, points + 1, 1, now() FROM made CROSS JOIN LATERAL (SELECT 10 * (12 - n) AS points) AS won`,
  );

test('the leaderboard shows the first ten, and the place of a player below them, on any screen, with one request for each', async () => {
  await fill();
  const visitor = await aSignedInVisitor(site.server, { name: 'Number 12' });
  await visitor.report('draw');
  let dialogs!: Promise<Response>;
  const prepare = async (page: Page) => {
    dialogs = page.waitForResponse(/dialogs-.*\.js$/);
    await page.clock.install();
  };
  const { page } = await site.openGame({ as: visitor, prepare });
  // A dialog whose code is there waits for no timer.
  await page.evaluate(`import('${(await dialogs).url()}')`);
  const asked: string[] = [];
  page.on('request', (request) => {
    for (const name of ['WeekLeaderboard', 'Leaderboard', 'LeaderboardAround'])
      if (isOperation(name)(request)) asked.push(name);
  });
  const hears = ({ payload }: { payload: string | Buffer }) => isBoard(payload);
  const live = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived', hears));
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

  // Each row of the first ten.
  const medals = ['Gold medal, rank 1', 'Silver medal, rank 2', 'Bronze medal, rank 3'];
  const said = await Promise.all((await rows(page).all()).map((row) => row.ariaSnapshot()));
  expect(said).toHaveLength(10);
  for (const [at, row] of said.entries()) {
    const points = 10 * (11 - at);
    const place = medals[at] ?? `#${at + 1}`;
    const rate = Math.round(((points + 1) / (points + 2)) * 100);
    for (const part of [place, `Number ${at + 1}`, `${points + 1}W · 1L · 0D`, `${rate}% win rate`, `${points} points`])
      expect(row).toContain(part);
    expect(row.includes('medal')).toBe(at < 3);
  }

  // In view on any screen, with text of twice the size too.
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await eventually(
      async () => {
        const [row, own] = [(await rows(page).nth(9).boundingBox())!, (await pinned.first().boundingBox())!];
        return { width, isAbove: row.y + row.height <= own.y };
      },
      { width, isAbove: true },
    );
  }
  for (const size of ['320x568', '568x320', '320x200']) await expectSeenWhole(page, size);
  const body = dialog(page).locator('.dialog-body');
  await setTextSize(page, 32);
  for (const size of ['1280x800', '320x640']) await expectSeenWhole(page, size);
  await dialog(page).getByRole('tab', { name: 'Week' }).click();
  await dialog(page).getByText('The week is young').waitFor();
  expect(await body.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await setTextSize(page, 16);
  await dialog(page).getByRole('tab', { name: 'All time' }).click();

  // The own row stays in view while a small screen scrolls the ten.
  await page.setViewportSize({ width: 320, height: 568 });
  const own = rows(page).filter({ has: page.getByText('You', { exact: true }) });
  for (const [place, score] of [
    [9, 35],
    [1, 200],
  ] as const) {
    const [sql, id] = [
      'UPDATE player_stats SET score = $1, wins = $1, easy_wins = $1 WHERE player_id = $2',
      visitor.user.id,
    ];
    await query(site.server, sql, [score, id]);
    await visitor.report('draw');
    await eventually(
      () =>
        rows(page)
          .nth(place - 1)
          .getByText('You', { exact: true })
          .count(),
      1,
    );
    const seen = async () => {
      const [row, frame] = [(await own.boundingBox())!, (await body.boundingBox())!];
      return row.y >= frame.y - 1 && row.y + row.height <= frame.y + frame.height + 1;
    };
    await body.evaluate((element) => (element.scrollTop = 0));
    await eventually(seen, true);
    await body.evaluate((element) => (element.scrollTop = element.scrollHeight));
    await eventually(seen, true);
    // Another row is where the scroll position puts it.
    expect(
      await rows(page)
        .nth(9)
        .evaluate((row) => row.getBoundingClientRect().top > 0),
    ).toBe(true);
  }
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

test('the leaderboard opens with all time; its week ends on Monday 00:00 UTC in every time zone', async () => {
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

test('the leaderboard invites the first player, hears of games by one socket and of many games by one message a second, and closes with Close, Escape and a click on the backdrop', async () => {
  const { page, visitor } = await site.openGame({
    name: 'The First',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const sockets: string[] = [];
  const asked: string[] = [];
  let boards = 0;
  page.on('websocket', (socket) => {
    sockets.push(socket.url());
    socket.on('framereceived', ({ payload }) => void (isBoard(payload) && (boards += 1)));
  });
  await openLeaderboard(page);
  await dialog(page).getByText('No players yet. Be the first!').waitFor();
  // Without a live socket, the page asks every five seconds.
  await eventually(() => Promise.resolve(boards > 0), true);
  page.on('request', (request) => void (isOperation('Leaderboard')(request) && asked.push(request.url())));
  const began = performance.now();
  await visitor.report();
  const row = dialog(page).getByRole('listitem').filter({ hasText: 'The First' });
  await row.getByText('You', { exact: true }).waitFor();
  // The only player is invited to invite others.
  expect(await dialog(page).getByText('Up for grabs').count()).toBe(2);
  await dialog(page).getByRole('button', { name: 'Invite a friend' }).click();
  await dialog(page).getByText('Address copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(site.origin);
  // Markup, another script and the longest name are names like others.
  const names = ['<img src=x onerror=alert(1)>', 'مريم', 'W'.repeat(50)];
  const others = await Promise.all(names.map((name) => aSignedInVisitor(site.server, { name })));
  for (let games = 0; games < 10; games++) await Promise.all(others.map((player) => player.report('draw')));
  for (const name of names) await dialog(page).getByText(name, { exact: true }).waitFor();
  await eventually(() => dialog(page).getByText('0W · 0L · 10D').count(), names.length);
  expect(sockets).toEqual([`${site.origin.replace('http', 'ws')}/graphql`]);
  expect(asked).toEqual([]);
  // The first message is the state before.
  expect(boards - 1).toBeLessThanOrEqual((performance.now() - began) / 1_000 + 1);

  const ways = [
    () => dialog(page).getByRole('button', { name: 'Close' }).click(),
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(4, 4),
  ];
  for (const close of ways) {
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
    await openLeaderboard(page);
  }
  // It keeps the keyboard away from the game behind it.
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  for (const key of ['n', '1']) await page.keyboard.press(key);
  for (let presses = 0; presses < 6; presses++) {
    await page.keyboard.press('Tab');
    // After the last stop of a dialog the browser's own bar has the focus, and then no part of the page.
    expect(await page.evaluate('document.activeElement.matches("body, dialog, dialog *")')).toBe(true);
  }
  await page.keyboard.press('Escape');
  expect(await page.getByRole('radio', { name: 'Medium' }).isChecked()).toBe(true);
});
