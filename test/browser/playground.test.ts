import { expect, test } from '@jest/globals';
import type { Page, WebSocket } from 'playwright-core';
import { aSite, eventually, type OpenOptions } from '../support/page.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';
import { expectInView, expectNoSidewaysScroll } from './inView.js';

// Every test checks that no page breaks its security policy, reports an error or sends a request to another origin.
const site = aSite();

async function openPlayground(options: OpenOptions = {}) {
  const page = await site.open({ ...options, path: '/playground/' });
  await page.getByText('The signed-in player').first().waitFor();
  await page.locator('.graphiql-response .monaco-editor').first().waitFor({ state: 'attached' });
  return page;
}

const executeButton = (page: Page) => page.getByRole('button', { name: /^Execute/ });
const resultPane = (page: Page) => page.locator('.graphiql-response');
const openExample = (page: Page, name: string) =>
  page.getByRole('tab', { name: new RegExp(`^${name}( Close Tab)?$`) }).click();

/** Runs the operation in the editor. */
async function run(page: Page, name: string) {
  const [response] = await Promise.all([
    page.waitForResponse((response) => (response.request().postData() ?? '').includes(` ${name}`)),
    executeButton(page).click(),
  ]);
  const answer = (await response.json()) as { data: object | null; errors?: object[] };
  return { answer, authorization: await response.request().headerValue('authorization') };
}

const win = (visitor: Visitor) =>
  visitor.postJson('/api/player/stats', { userId: visitor.user!.id, result: 'win', difficulty: 'easy' });

test('shows the live leaderboard until the subscription or its tab is left', async () => {
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
  await closes(socket, () => page.getByRole('button', { name: /^Stop query/ }).click());
  await closes(await subscribe(), () => openExample(page, 'MyGames'));
});

test('says that a subscription has lost its socket', async () => {
  const busy = (page: Page) =>
    page.routeWebSocket(/\/graphql$/, (socket) => socket.close({ code: 4503, reason: 'Too busy' }));
  const page = await openPlayground({ prepare: busy });
  site.expectProblem(/Socket closed with event 4503/);
  await openExample(page, 'LiveLeaderboard');
  await executeButton(page).click();
  await resultPane(page).getByText('Too busy').waitFor();
  await executeButton(page).waitFor();
});

test('every example is answered', async () => {
  const visitor = await aSignedInVisitor(site.server);
  await win(visitor);
  const page = await openPlayground({ as: visitor });
  for (const name of ['Me', 'Leaderboard', 'LeaderboardAround', 'MyGames', 'StartGame', 'FinishGame']) {
    await openExample(page, name);
    const { answer } = await run(page, name);
    expect([name, answer]).toEqual([name, expect.objectContaining({ data: expect.any(Object) })]);
    expect(answer.errors).toBeUndefined();
  }
});

test('the header editor has the token of the session, a request the newest one, and nothing stores it', async () => {
  const as = await aSignedInVisitor(site.server, { name: "Seán O'Casey" });
  const page = await openPlayground({ as, prepare: (page) => page.clock.install() });
  const { authorization } = await run(page, 'Me');
  await page.getByRole('button', { name: 'Headers' }).click();
  const editor = page.getByRole('region', { name: 'Headers' });
  await eventually(async () => (await editor.innerText()).includes('"Authorization"'), true);
  const kept = await page.evaluate<string>('JSON.stringify([{...localStorage}, {...sessionStorage}])');
  expect(kept).not.toContain(authorization!.slice('Bearer '.length));

  // The token ends after ten minutes.
  await site.server.moveClock(11 * 60_000);
  try {
    await page.clock.fastForward(11 * 60_000);
    const later = await run(page, 'Me');
    expect(later.answer).toMatchObject({ data: { me: { name: "Seán O'Casey" } } });
    expect(later.authorization).not.toBe(authorization);
  } finally {
    await site.server.resetClock();
  }
});

test('fits a phone, and links to the game', async () => {
  const page = await openPlayground({ viewport: { width: 320, height: 640 } });
  await expectNoSidewaysScroll(page);
  await expectInView(page, executeButton(page), page.getByRole('link', { name: 'Sign in' }));
  expect(await page.getByRole('link', { name: 'To the game' }).getAttribute('href')).toBe('/');
});
