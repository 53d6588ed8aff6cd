import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, hold, hushSockets, isOperation } from '../support/page.js';
import { sitDown } from '../support/table.js';
import { aSignedInVisitor } from '../support/visitor.js';

const site = aSite();

interface Watched {
  shifts: string[];
  motions: string[];
}

/** Records layout shifts, and animations longer than a frame, from before the first paint. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched: Watched = { shifts: [], motions: [] };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; sources: { node?: Node }[] })[]) {
        // A new game goes on top of the list and moves the others and the rules down.
        const below = '.history li, .history + .how';
        const moved = entry.sources.filter(({ node }) => !(node instanceof Element && node.matches(below)));
        const names = moved.map(({ node }) => (node instanceof Element ? node.outerHTML : node?.nodeValue));
        if (names.length > 0) watched.shifts.push(`${entry.value}: ${names.join(' | ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
    const look = () => {
      for (const animation of document.getAnimations()) {
        const { endTime } = animation.effect!.getComputedTiming();
        const { target } = animation.effect as KeyframeEffect;
        if (Number(endTime) > 16) watched.motions.push(`${String(endTime)} ms: ${target?.className}`);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    Object.assign(window, { watched });
  });
}

/** The records until now, once the next two frames are drawn. */
const watched = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
    return (window as unknown as { watched: Watched }).watched;
  });

/** Goes from the loading screen through the third win in a row and the bonus to each dialog, with late answers. */
async function walkThrough({ page, table }: Awaited<ReturnType<typeof sitDown>>, wins: number): Promise<void> {
  await table.choose('easy');
  const saved = page.waitForResponse((response) => isOperation('FinishGame')(response.request()));
  await table.play('win');
  await table.status('🎉 3 WINS IN A ROW! +1 BONUS POINT!').waitFor();
  await table.statsBecome(String((wins / 3) * 4), '3/3', String(wins), '0', '0');
  const replay = page.getByRole('button', { name: /^Replay/ });
  await saved;
  await table.newGame();
  const dialog = page.getByRole('dialog');
  const close = async () => {
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  for (const [button, ...parts] of [
    ['Leaderboard', ['Leaderboard', 'leaderboard']],
    [', open account', ['MyIdentities', 'sign-in methods'], ['MySessions', 'signed-in browsers']],
  ] as const) {
    const answers = [];
    for (const [operation, part] of parts) {
      const loading = dialog.getByRole('status', { name: `Loading ${part}` });
      answers.push({ loading, ...(await hold(page, '**/graphql', operation)) });
    }
    await page.getByRole('banner').getByRole('button', { name: button }).click();
    for (const { loading } of answers) await loading.waitFor();
    await watched(page);
    for (const { loading, open } of answers) {
      open();
      await loading.waitFor({ state: 'detached' });
      await watched(page);
    }
    if (button === 'Leaderboard') {
      await dialog.getByRole('tabpanel', { name: 'All time' }).getByRole('listitem').first().waitFor();
      await dialog.getByRole('tab', { name: 'Week' }).click();
      await dialog.getByRole('tabpanel', { name: 'Week' }).getByRole('listitem').first().waitFor();
      await watched(page);
    }
    await close();
  }
  await replay.first().click();
  await dialog.getByRole('img', { name: 'Verified' }).waitFor();
  await watched(page);
  await close();
}

test('late content moves nothing that is on the page; with reduced motion, on a phone, no animation lasts longer than a frame; with forced colours, marks and the winning line differ from their background, light and dark', async () => {
  const visitor = await aSignedInVisitor(site.server);
  for (let wins = 0; wins < 2; wins++) await visitor.report();
  const prepare = async (page: Page) => Promise.all([watch(page), hushSockets(page)]);
  const computer = { viewport: { width: 1280, height: 800 }, reducedMotion: 'no-preference' } as const;
  // A clock of the test's own would also replace the frames that are counted here.
  const seat = await sitDown(site, { as: visitor, ...computer, prepare, clock: { real: true } });
  const { page, table } = seat;
  // Late content moves nothing, on a computer.
  await walkThrough(seat, 3);
  expect((await watched(page)).shifts).toEqual([]);

  // The same with reduced motion, on a phone.
  for (let wins = 0; wins < 2; wins++) await visitor.report();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  await page.reload();
  await walkThrough(seat, 6);
  expect(await watched(page)).toEqual({ shifts: [], motions: [] });

  // With forced colours.
  await table.play('win');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, forcedColors: 'active' });
    const { behind, strokes } = await page.getByRole('region', { name: 'Tic-Tac-Toe' }).evaluate((card) => {
      const colours = (selector: string, property: string) =>
        [...card.querySelectorAll(selector)].map((part) => getComputedStyle(part).getPropertyValue(property));
      return {
        behind: [...colours('.square', 'background-color'), getComputedStyle(card).backgroundColor],
        strokes: ['.mark-X path', '.mark-O path', '.winning-line path'].map((part) => colours(part, 'stroke')),
      };
    });
    for (const stroke of strokes) {
      expect(stroke.length).toBeGreaterThan(0);
      for (const colour of stroke) expect(behind).not.toContain(colour);
    }
  }
});

test('a chosen dark theme applies before the page has loaded any asset, on a light system too', async () => {
  const { page } = await site.openGame({ colorScheme: 'light' });
  const choose = async (theme: string, then: string) => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: `Use the ${theme} theme` }).click();
    await page.getByRole('button', { name: `Use the ${then} theme` }).waitFor();
  };
  // The browser takes the first colour that applies.
  const colours = () =>
    page.evaluate<string[]>(`[
      [...document.querySelectorAll('meta[name=theme-color]')].find(({ media }) => matchMedia(media).matches).content,
      getComputedStyle(document.documentElement).colorScheme,
    ]`);
  await choose('dark', 'light');
  expect(await colours()).toEqual(['#11141c', 'dark']);
  const assets = await hold(page, '**/assets/**');
  await page.reload({ waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Tic-Tac-Toe' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  assets.open();
  await page.getByRole('grid', { name: 'Board' }).waitFor();
  expect(await colours()).toEqual(['#11141c', 'dark']);

  // The choice that the system has made too follows the system again.
  await choose('light', 'dark');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  expect(await colours()).toEqual(['#11141c', 'light dark']);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await colours()).toEqual(['#f8f6f1', 'light dark']);
});

test('the title and the frame of the login screen are there before any asset, and React draws the same', async () => {
  const page = await (await site.newContext()).newPage();
  const assets = await hold(page, '**/assets/**');
  const session = await hold(page, '**/auth/refresh');
  await page.goto(site.origin, { waitUntil: 'commit' });
  await page.getByText('Challenge the AI and climb the leaderboard!').waitFor();
  const look = () =>
    page.evaluate(() => [
      document.querySelector('main')!.outerHTML,
      JSON.stringify(document.querySelector('.login-card')!.getBoundingClientRect()),
    ]);
  const before = await look();
  await page.evaluate(() => Object.assign(document.querySelector('main')!, { drawnByBuild: true }));
  assets.open();
  await page.waitForFunction(() => !('drawnByBuild' in document.querySelector('main')!));
  expect(await look()).toEqual(before);
  const title = () => page.getByRole('heading', { name: 'Tic-Tac-Toe' }).boundingBox();
  const place = await title();
  session.open();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  expect(await title()).toEqual(place);
});
