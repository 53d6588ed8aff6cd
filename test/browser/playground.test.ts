import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { Page, WebSocket } from 'playwright-core';
import { aSite, eventually, type OpenOptions } from '../support/page.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';
import { expectInView, expectNoSidewaysScroll } from './inView.js';

// Every test checks that no page breaks its security policy, reports an error or sends a request to another origin.
const site = aSite();

async function openPlayground(options: OpenOptions = {}) {
  const page = await site.open({ ...options, path: '/playground/' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText('The signed-in player').first().waitFor();
  await page.locator('.graphiql-response .monaco-editor').first().waitFor({ state: 'attached' });
  return page;
}

const executeButton = (page: Page) => page.getByRole('button', { name: /^Execute/ });
const resultPane = (page: Page) => page.locator('.graphiql-response');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const feedback = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Actions' }).getByText(text).waitFor();
const codeDialog = (page: Page) => page.getByRole('dialog', { name: 'Request as code' });
const tab = (page: Page, name: string) => codeDialog(page).getByRole('tab', { name, exact: true });
const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

const openExample = (page: Page, name: string) =>
  page.getByRole('tab', { name: new RegExp(`^${name}( Close Tab)?$`) }).click();

/** Runs the operation in the editor and returns the server's answer. */
async function run<Data>(page: Page, name: string): Promise<Data> {
  const [response] = await Promise.all([
    page.waitForResponse((response) => (response.request().postData() ?? '').includes(` ${name}`)),
    executeButton(page).click(),
  ]);
  return ((await response.json()) as { data: Data }).data;
}

function win(visitor: Visitor) {
  const body = { userId: visitor.user!.id, result: 'win', difficulty: 'easy' };
  return visitor.postJson('/api/player/stats', body);
}

test('shows the live leaderboard until the subscription stops, or its tab or the page closes', async () => {
  const [first, second] = [
    await aSignedInVisitor(site.server, { name: 'Grace Hopper' }),
    await aSignedInVisitor(site.server, { name: 'Edsger Dijkstra' }),
  ];
  await win(first);
  const page = await openPlayground();
  const subscribe = async (): Promise<WebSocket> => {
    await openExample(page, 'LiveLeaderboard');
    const [socket] = await Promise.all([page.waitForEvent('websocket'), executeButton(page).click()]);
    await resultPane(page).getByText('"Grace Hopper"').waitFor();
    return socket;
  };
  const closes = async (socket: WebSocket, act: () => Promise<unknown>) => {
    const closed = socket.waitForEvent('close');
    await act();
    await closed;
  };

  const socket = await subscribe();
  await win(second);
  await resultPane(page).getByText('"Edsger Dijkstra"').waitFor();
  await closes(socket, () => press(page, 'Stop the subscription'));
  await page.getByRole('button', { name: 'Stop the subscription' }).waitFor({ state: 'detached' });
  await closes(await subscribe(), () => page.getByRole('button', { name: /^Stop query/ }).click());
  await closes(await subscribe(), () => openExample(page, 'MyGames'));
  const leave = `dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`;
  await closes(await subscribe(), () => page.evaluate(leave));
});

test('says that a subscription has lost its socket', async () => {
  const busy = (page: Page) =>
    page.routeWebSocket(/\/graphql$/, (socket) => socket.close({ code: 4503, reason: 'Too busy' }));
  const page = await openPlayground({ prepare: busy });
  await openExample(page, 'LiveLeaderboard');
  await executeButton(page).click();
  await resultPane(page).getByText('Too busy').waitFor();
  await executeButton(page).waitFor();
});

test('fills in a finished game from the last ticket, which counts as a draw and appears in the history', async () => {
  const page = await openPlayground({ as: await aSignedInVisitor(site.server) });
  await openExample(page, 'FinishGame');
  await press(page, 'Fill in a finished game');
  await feedback(page, /^Run StartGame first/);
  await openExample(page, 'StartGame');
  const { startGame } = await run<{ startGame: { gameId: string } }>(page, 'StartGame');
  await openExample(page, 'FinishGame');
  await press(page, 'Fill in a finished game');
  await feedback(page, /ends in a draw/);
  const { finishGame } = await run<{ finishGame: object }>(page, 'FinishGame');
  expect(finishGame).toMatchObject({ game: { id: startGame.gameId, result: 'draw', points: 0 }, stats: { score: 0 } });
  await openExample(page, 'MyGames');
  const { me } = await run<{ me: { games: { edges: object[] } } }>(page, 'MyGames');
  expect(me.games.edges).toMatchObject([{ node: { id: startGame.gameId, source: 'verified' } }]);
});

/** The languages of the dialog, each with the program that runs its text. */
const LANGUAGES = [
  ['curl', 'sh', ['-euc']],
  ['JavaScript', process.execPath, ['--input-type=module', '--eval']],
  ['Python', 'python3', ['-c']],
] as const;

/** Runs the text as a user does, and returns the server's answer. */
async function runCode(program: string, options: readonly string[], text: string, env: object = {}) {
  const { stdout } = await promisify(execFile)(program, [...options, text], {
    env: { PATH: process.env.PATH, ...env },
  });
  return JSON.parse(stdout) as unknown;
}

test('copies the access token, and the request in three languages, which work outside the browser', async () => {
  const visitor = await aSignedInVisitor(site.server, { name: "Seán O'Casey" });
  const page = await openPlayground({ as: visitor });
  await press(page, 'Copy access token');
  await feedback(page, /^Copied your access token/);
  const token = await clipboard(page);
  const me = { data: { me: { name: "Seán O'Casey" } } };
  const sent = page.getByRole('button', { name: 'Copy as code' });
  for (const [language, program, options] of LANGUAGES) {
    await sent.click();
    await tab(page, language).click();
    const shown = await codeDialog(page).getByRole('region', { name: language }).innerText();
    expect(shown).not.toContain(token);
    expect(await runCode(program, options, shown, { TOKEN: token })).toMatchObject(me);
    await codeDialog(page).getByText('The copy holds your access token').waitFor();
    await codeDialog(page).getByRole('button', { name: 'Copy' }).click();
    await codeDialog(page)
      .getByRole('status')
      .getByText(/^Copied with your access token/)
      .waitFor();
    const copied = await clipboard(page);
    expect(copied).toContain(token);
    expect(await runCode(program, options, copied)).toMatchObject(me);
    await page.keyboard.press('Escape');
  }

  await openExample(page, 'Leaderboard');
  await page.getByRole('button', { name: 'Headers' }).click();
  await page.getByRole('region', { name: 'Headers' }).getByRole('textbox').fill(`{ "X-Own": "it's mine" }`);
  await sent.click();
  // The last language stays chosen.
  const text = await codeDialog(page).getByRole('region', { name: 'Python' }).innerText();
  expect(text).toContain(`"x-own": "it's mine"`);
  expect(text).toMatch(/"operationName": "Leaderboard",\s+"variables": \{\s+"limit": 10/);
  await page.keyboard.press('Escape');

  await openExample(page, 'LiveLeaderboard');
  await sent.click();
  await feedback(page, /^A subscription runs over a WebSocket/);
  const kept = await page.evaluate<string>('JSON.stringify([{...localStorage}, {...sessionStorage}])');
  expect(kept).not.toContain(token);
});

test('says why a request cannot be code', async () => {
  const page = await openPlayground();
  await openExample(page, 'Leaderboard');
  await page.getByRole('region', { name: 'Variables' }).getByRole('textbox').fill('{ "limit": ');
  await press(page, 'Copy as code');
  await feedback(page, /^The request cannot be code: /);
  expect(await codeDialog(page).count()).toBe(0);
});

test('without a player offers no token, also not in the code', async () => {
  const page = await openPlayground();
  await press(page, 'Copy as code');
  for (const [language] of LANGUAGES) {
    await tab(page, language).click();
    await codeDialog(page).getByRole('button', { name: 'Copy' }).click();
    await codeDialog(page).getByText('Copied.', { exact: true }).waitFor();
    expect(await clipboard(page)).not.toMatch(/authorization|TOKEN/);
  }
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'Copy access token' }).count()).toBe(0);
});

test('the keyboard opens the code, chooses a language, and comes back', async () => {
  const page = await openPlayground();
  const opener = page.getByRole('button', { name: 'Copy as code' });
  const selected = async (name: string) => {
    const focused = page.locator(':focus');
    expect(await focused.getAttribute('role')).toBe('tab');
    expect([await focused.textContent(), await focused.getAttribute('aria-selected')]).toEqual([name, 'true']);
    await codeDialog(page).getByRole('tabpanel', { name }).waitFor();
    expect(await codeDialog(page).getByRole('tab', { selected: true }).count()).toBe(1);
  };
  await opener.focus();
  await page.keyboard.press('Enter');
  await selected('curl');
  for (const [key, name] of [
    ['ArrowRight', 'JavaScript'],
    ['End', 'Python'],
    ['ArrowRight', 'curl'],
    ['ArrowLeft', 'Python'],
    ['Home', 'curl'],
  ] as const) {
    await page.keyboard.press(key);
    await selected(name);
  }
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('curl');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await codeDialog(page).getByRole('status').getByText('Copied.').waitFor();
  await page.keyboard.press('Escape');
  await codeDialog(page).waitFor({ state: 'detached' });
  expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('says status, time and cost of the last request, and forgets them when another begins', async () => {
  let faked: { status: number; extensions?: object } = { status: 200 };
  const measured = (page: Page) => page.getByRole('region', { name: 'Actions' }).getByText(/^HTTP\s/);
  const prepare = (page: Page) =>
    page.route('**/graphql', async (route) => {
      const [response, { status, extensions }] = [await route.fetch(), faked];
      await route.fulfill({ response, status, json: { ...((await response.json()) as object), extensions } });
    });
  const page = await openPlayground({ prepare });
  await page.waitForLoadState('networkidle');
  // The request for the schema is not the player's.
  expect(await measured(page).count()).toBe(0);
  await openExample(page, 'Leaderboard');
  await run(page, 'Leaderboard');
  expect(await measured(page).textContent()).toMatch(/^HTTP\s200\s· [\d,]+\sms$/);
  faked = { status: 429, extensions: { cost: { requested: 1203, left: 4797 } } };
  site.expectProblem(/status of 429/);
  await run(page, 'Leaderboard');
  await measured(page)
    .getByText(/^HTTP\s429/)
    .waitFor();
  expect(await measured(page).textContent()).toMatch(
    /^HTTP\s429\s· [\d,]+\sms\s· cost\s1,203\s· 4,797\sleft\sthis\sminute$/,
  );
  expect(await measured(page).getAttribute('role')).toBe('status');
  await openExample(page, 'LiveLeaderboard');
  await executeButton(page).click();
  await measured(page).waitFor({ state: 'detached' });
});

test('links to the game and to the REST API', async () => {
  const page = await openPlayground();
  const banner = page.getByRole('banner');
  expect(await banner.getByRole('link', { name: 'REST API' }).getAttribute('href')).toBe('/docs');
  expect(await banner.getByRole('link', { name: 'To the game' }).getAttribute('href')).toBe('/');
});

test('on a phone shows either the operation or its result', async () => {
  const as = await aSignedInVisitor(site.server, { name: 'Mary' });
  const page = await openPlayground({ as, viewport: { width: 390, height: 844 } });
  const buttons = page.getByRole('region', { name: 'Actions' }).getByRole('button');
  const name = resultPane(page).getByText('"Mary"');
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 320, height: 640 },
  ]) {
    await page.setViewportSize(viewport);
    await openExample(page, 'Me');
    await run(page, 'Me');
    await name.waitFor();
    await expectInView(page, name, page.getByText(/^HTTP\s200\s/), ...(await buttons.all()));
    await expectNoSidewaysScroll(page);
    for (const button of await buttons.all()) expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await press(page, 'Copy as code');
    const parts = codeDialog(page).getByRole('tab').or(codeDialog(page).getByRole('button'));
    await expectInView(page, ...(await parts.all()));
    await expectNoSidewaysScroll(page);
    await page.keyboard.press('Escape');
    expect(await executeButton(page).isVisible()).toBe(false);
    await press(page, 'Operation');
    await expectInView(page, executeButton(page));
    expect(await resultPane(page).isVisible()).toBe(false);
    await press(page, 'Result');
    await eventually(() => name.isVisible(), true);
    await openExample(page, 'Leaderboard');
    await executeButton(page).waitFor();
  }
});
