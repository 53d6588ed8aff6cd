import { execFileSync } from 'node:child_process';
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
  const { myGames } = await run<{ myGames: object[] }>(page, 'MyGames');
  expect(myGames).toMatchObject([{ id: startGame.gameId, source: 'verified' }]);
});

test('copies the access token and the request as curl, which work outside the browser', async () => {
  const visitor = await aSignedInVisitor(site.server, { name: "Seán O'Casey" });
  const page = await openPlayground({ as: visitor });
  await press(page, 'Copy access token');
  await feedback(page, /^Copied your access token/);
  const token = await clipboard(page);
  const me = await fetch(`${site.origin}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"query":"{ me { id } }"}',
  });
  expect(await me.json()).toEqual({ data: { me: { id: visitor.user.id } } });

  await openExample(page, 'Leaderboard');
  await page.getByRole('button', { name: 'Headers' }).click();
  await page.getByRole('region', { name: 'Headers' }).getByRole('textbox').fill(`{ "X-Own": "it's mine" }`);
  await press(page, 'Copy as curl');
  await feedback(page, /^Copied the request as a curl command\. It holds your access token/);
  // A real shell reads the command; the test sends the request that curl would send.
  const script = `curl() { printf '%s\\0' "$@"; }\n${await clipboard(page)}`;
  const [address = '', ...rest] = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
  const body = rest[rest.indexOf('--data-raw') + 1]!;
  const headers = rest.flatMap((argument, at) => (rest[at - 1] === '-H' ? [argument.split(/: (.*)/s, 2)] : []));
  expect(Object.fromEntries(headers)).toEqual({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-own': "it's mine",
  });
  expect(JSON.parse(body)).toMatchObject({ operationName: 'Leaderboard', variables: { limit: 10 } });
  const answer = await fetch(address, { method: 'POST', headers: headers as [string, string][], body });
  expect(await answer.json()).toEqual({ data: { leaderboard: expect.any(Array) } });

  await openExample(page, 'LiveLeaderboard');
  await press(page, 'Copy as curl');
  await feedback(page, /^A subscription runs over a WebSocket/);
  const kept = await page.evaluate<string>('JSON.stringify([{...localStorage}, {...sessionStorage}])');
  expect(kept).not.toContain(token);
});

test('without a player offers no token, also not in the curl command', async () => {
  const page = await openPlayground();
  await press(page, 'Copy as curl');
  await feedback(page, 'Copied the request as a curl command.');
  expect(await clipboard(page)).not.toContain('authorization');
  expect(await page.getByRole('button', { name: 'Copy access token' }).count()).toBe(0);
});

test('on a phone shows either the operation or its result', async () => {
  const as = await aSignedInVisitor(site.server, { name: 'Mary Shelley' });
  const page = await openPlayground({ as, viewport: { width: 390, height: 844 } });
  const buttons = page.getByRole('region', { name: 'Actions' }).getByRole('button');
  const name = resultPane(page).getByText('"Mary Shelley"');
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 320, height: 640 },
  ]) {
    await page.setViewportSize(viewport);
    await openExample(page, 'Me');
    await run(page, 'Me');
    await name.waitFor();
    await expectInView(page, name, ...(await buttons.all()));
    await expectNoSidewaysScroll(page);
    for (const button of await buttons.all()) expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
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
