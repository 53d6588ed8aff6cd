import { expect, test } from '@jest/globals';
import type { Page, WebSocket } from 'playwright-core';
import { aSite, eventually, fillInProvider, goToProvider, type OpenOptions, somebody } from '../support/page.js';
import { emptyLeaderboard, query } from '../support/server.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';

// Every test checks that no page breaks its security policy, reports an error or sends a request to another origin.
const site = aSite();

async function openPlayground(options: OpenOptions = {}) {
  const page = await site.open({ path: '/playground/', ...options });
  await isReady(page);
  return page;
}

async function isReady(page: Page): Promise<void> {
  await page.getByText('The leaderboard: everybody').first().waitFor();
  await page.locator('.graphiql-response .monaco-editor').first().waitFor({ state: 'attached' });
}

const executeButton = (page: Page) => page.getByRole('button', { name: /^Execute/ });
const resultPane = (page: Page) => page.locator('.graphiql-response');
const openExample = (page: Page, name: string) =>
  page.getByRole('tab', { name: new RegExp(`^${name}( Close Tab)?$`) }).click();

const linkOf = (query: string, operationName = '') =>
  `${site.origin}/playground/#${new URLSearchParams({ query, variables: '', operationName })}`;

/** Runs the operation in the editor. */
async function run(page: Page, name: string) {
  const [response] = await Promise.all([
    page.waitForResponse((response) => (response.request().postData() ?? '').includes(` ${name}`)),
    executeButton(page).click(),
  ]);
  const answer = (await response.json()) as { data: object | null; errors?: object[] };
  return { answer, authorization: await response.request().headerValue('authorization') };
}

test('shows the live leaderboard, with the time of each event, until the subscription or its tab is left', async () => {
  await emptyLeaderboard(site.server);
  const [first, second] = [
    await aSignedInVisitor(site.server, { name: 'Grace Hopper' }),
    await aSignedInVisitor(site.server, { name: 'Edsger Dijkstra' }),
  ];
  await first.report();
  // The editor draws what is in view.
  const page = await openPlayground({ viewport: { width: 1280, height: 1600 } });
  const subscribe = async (): Promise<WebSocket> => {
    await openExample(page, 'LiveLeaderboard');
    const [socket] = await Promise.all([page.waitForEvent('websocket'), executeButton(page).click()]);
    await resultPane(page).getByText('"Grace Hopper"').first().waitFor();
    return socket;
  };
  const closes = async (socket: WebSocket, act: () => Promise<unknown>) => {
    const closed = socket.waitForEvent('close');
    await act();
    await closed;
  };

  const socket = await subscribe();
  await second.report();
  await resultPane(page).getByText('"Edsger Dijkstra"').waitFor();
  await eventually(
    () =>
      resultPane(page)
        .getByText(/"at":\s"[\d:]{8}"/)
        .count(),
    2,
  );
  await closes(socket, () => page.getByRole('button', { name: /^Stop query/ }).click());
  await closes(await subscribe(), () => openExample(page, 'MyStats'));
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

test('opens at /graphql, fits a phone, works without a player, and sends the token after a sign-in', async () => {
  const page = await openPlayground({ path: '/graphql' });
  expect(page.url()).toBe(`${site.origin}/playground/`);
  await page.getByText('Not signed in.').waitFor();
  // The editor is GraphiQL's own.
  const but = ['.graphiql-container'];
  const inView = [executeButton(page), page.getByRole('link', { name: 'Sign in' })];
  await expectNoViolations(page, { but, inView });
  expect(await page.getByRole('link', { name: 'To the game' }).getAttribute('href')).toBe('/');
  expect((await run(page, 'Leaderboard')).answer.errors).toBeUndefined();
  await openExample(page, 'MyStats');
  await page.getByText('put a token into "Headers" below').first().waitFor();
  const signedOut = await run(page, 'MyStats');
  expect(signedOut.authorization).toBeNull();
  expect(signedOut.answer.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  await resultPane(page).getByText('send a token from /playground').waitFor();

  await page.goto(linkOf('query Shared { me { name } }'));
  const shared = page.getByRole('tab', { name: /^Shared/, selected: true });
  await shared.waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await goToProvider(page, 'Google');
  await fillInProvider(page, somebody('Alan Turing'));
  await page.waitForURL('**/playground/');
  await page.getByText('Signed in as Alan Turing').waitFor();
  await expectNoViolations(page, { but });
  await shared.waitFor();
  const { answer, authorization } = await run(page, 'Shared');
  expect(authorization).toMatch(/^Bearer /);
  expect(answer.data).toMatchObject({ me: { name: 'Alan Turing' } });
  await page.reload();
  await shared.waitFor();
  expect(await page.getByRole('tab', { name: /^Shared/ }).count()).toBe(1);
});

test('every example is answered, with the newest token of the session, which nothing stores', async () => {
  const as = await aSignedInVisitor(site.server, { name: "Seán O'Casey" });
  await as.report();
  const page = await openPlayground({ as });
  for (const name of ['Leaderboard', 'MyStats']) {
    await openExample(page, name);
    const { answer } = await run(page, name);
    expect([name, answer]).toEqual([name, expect.objectContaining({ data: expect.any(Object) })]);
    expect(answer.errors).toBeUndefined();
  }
  const { authorization } = await run(page, 'MyStats');
  await page.getByRole('button', { name: 'Headers' }).click();
  const editor = page.getByRole('region', { name: 'Headers' });
  await eventually(async () => (await editor.innerText()).includes('"Authorization"'), true);
  const kept = await page.evaluate<string>('JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])');
  expect(kept).not.toContain(authorization!.slice('Bearer '.length));

  // The token ends after ten minutes.
  await site.server.moveClock(11 * 60_000);
  try {
    // From here on: the editor, which draws by many timers, once did not appear on a page that began with such a clock.
    await page.clock.install();
    await page.clock.fastForward(11 * 60_000);
    const later = await run(page, 'MyStats');
    expect(later.answer).toMatchObject({ data: { me: { name: "Seán O'Casey" } } });
    expect(later.authorization).not.toBe(authorization);
  } finally {
    await site.server.resetClock();
  }
});

test('a query is built by keys alone, on any screen', async () => {
  const page = await openPlayground();
  await page.getByRole('button', { name: 'Show Query builder' }).press('Enter');
  const builder = page.locator('.builder');
  const field = (name: string) => builder.getByRole('checkbox', { name, exact: true });
  const written = () => page.evaluate(() => localStorage.getItem('graphiql:query')?.replace(/\s+/g, ' ').trim());
  const focused = () => page.evaluate(() => document.activeElement?.ariaLabel);
  expect(await field('draws').isChecked()).toBe(true);
  await field('draws').press('Space');
  await eventually(async () => [await field('draws').isChecked(), await focused()], [false, 'draws']);
  await field('rank').press('Space');
  const opens = builder.getByRole('button', { name: 'me', exact: true });
  await opens.press('Enter');
  await eventually(async () => [await opens.getAttribute('aria-expanded'), await focused()], ['true', 'me']);
  const built = 'query Leaderboard { leaderboard(limit: 10) { ';
  await eventually(written, `${built}playerId name score wins losses totalGames rank } me }`);
  const but = ['.graphiql-sidebar', '.graphiql-sessions'];
  await expectNoViolations(page, { but, inView: [page.locator('.graphiql-plugin')] });

  const many = Array.from({ length: 800 }, (_, at) => `query Q${at}{me{name}}`);
  await page.goto(linkOf(many.join('')));
  await builder.getByText('shows up to 20 operations').waitFor();
  await page.goto(linkOf(many.slice(0, 20).join('')));
  await eventually(() => opens.count(), 20);
});

test('a link has the query and no token, and opens it beside what is stored, without a run', async () => {
  const as = await aSignedInVisitor(site.server);
  const page = await openPlayground({ as });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
  await page.getByRole('region', { name: 'Variables' }).click();
  await page.keyboard.insertText(`{ "by mistake": "ttt_secret, ${as.accessToken}" }`);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('status').getByText('Copied.').waitFor();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(link.origin + link.pathname + link.search).toBe(`${site.origin}/playground/`);
  const variables = '{ "by mistake": "ttt_..., eyJ..." }';
  expect(Object.fromEntries(new URLSearchParams(link.hash.slice(1)))).toEqual({
    query: expect.stringMatching(/^# The leaderboard[^]+query Leaderboard \{[^]+\}\n$/),
    variables,
    operationName: 'Leaderboard',
  });

  const other = await openPlayground({ as: await aSignedInVisitor(site.server) });
  await other.getByRole('region', { name: 'Variables' }).click();
  await other.keyboard.insertText('{ "mine": 1 }');
  const asked: string[] = [];
  other.on('request', (request) => void asked.push(request.postData() ?? ''));
  const kept = () =>
    other.evaluate(() => {
      // GraphiQL writes it a moment after a change.
      const { tabs } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{"tabs":[]}') as {
        tabs: Record<string, string | null>[];
      };
      return tabs.map(({ title, variables }) => [title, variables]);
    });
  const mine: (string | null | undefined)[][] = [
    ['Leaderboard', '{ "mine": 1 }'],
    ['MyStats', null],
    ['LiveLeaderboard', null],
  ];
  await eventually(kept, mine);
  // In the open page, and in a new one.
  await other.goto(link.href);
  await eventually(kept, [...mine, ['Leaderboard', variables]]);
  await other.goto('about:blank');
  await other.goto(link.href);
  await eventually(kept, [...mine, ['Leaderboard', variables], ['Leaderboard', variables]]);
  await other.getByRole('tab', { name: /^Leaderboard/, selected: true }).waitFor();
  expect(other.url()).toBe(`${site.origin}/playground/`);
  expect(asked.filter((body) => body.includes('query Leaderboard'))).toEqual([]);

  // The operation of a link is chosen, but no mutation: a key runs the chosen one.
  await other.setViewportSize({ width: 320, height: 640 });
  const chosen = async () => (await kept()).at(-1)?.[0];
  await other.goto(linkOf('query A{__typename} mutation Leaderboard{setPageOpen(open:false)}', 'Leaderboard'));
  await eventually(chosen, 'A');
  await other.goto(linkOf('query A{__typename} query B{me{name}}', 'B'));
  await eventually(chosen, 'B');
  const edges = () =>
    other.evaluate(() =>
      ['.graphiql-tab-active', '.graphiql-tabs'].map((part) => document.querySelector(part)!.getBoundingClientRect()),
    );
  const [tab, strip] = (await edges()) as [DOMRect, DOMRect];
  expect(strip.width).toBeGreaterThan(150);
  expect([tab.left >= strip.left, tab.right <= strip.right + 1]).toEqual([true, true]);
  await other.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
  expect(await other.getByRole('status').evaluate((nothing) => nothing.clientWidth)).toBe(0);
  await other.getByRole('button', { name: 'Copy link' }).click();
  await other.getByRole('status').getByText('Copied.').waitFor();
  const copy = await other.evaluate(() => navigator.clipboard.readText());
  expect(copy).toMatch(/&operationName=B$/);

  // The server refuses what is longer, so the page neither opens nor copies it.
  const tooLong = other.getByRole('status').getByText('The query of this link is too long.');
  await other.goto(linkOf('#'.repeat(16_385)));
  await tooLong.waitFor();
  await eventually(chosen, 'B');
  await other.locator('.graphiql-query-editor').click();
  await other.keyboard.insertText('#'.repeat(16_385));
  await other.getByRole('button', { name: 'Copy link' }).click();
  await tooLong.waitFor();
  expect(await other.evaluate(() => navigator.clipboard.readText())).toBe(copy);
});

test('a token is made, copied once, used by a program and revoked', async () => {
  const { page, visitor } = await site.openGame();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
  await page.getByRole('button', { name: ', open account' }).click();
  await page.getByRole('link', { name: 'Personal tokens for programs' }).click();
  const dialog = page.getByRole('dialog', { name: 'Personal tokens' });
  await dialog.getByText('No tokens yet.').waitFor();
  await dialog.getByRole('button', { name: 'New token' }).click();
  const name = dialog.getByLabel('Name', { exact: true });
  expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
  await name.fill('My first bot');
  const scopes = await dialog.getByRole('checkbox').all();
  const chosen = (await Promise.all(scopes.map((scope) => scope.isChecked()))).map(Number);
  expect(chosen).toEqual([1, 1, 1, 0]);
  for (const scope of scopes.slice(0, 3)) await scope.uncheck();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByRole('alert').getByText('Choose what the program may do.').waitFor();
  await dialog.getByLabel('Read stats and places').check();
  await dialog.getByLabel('Play games').check();
  await dialog.getByLabel('Ends').selectOption('In 7 days');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText("Copy your token now. You won't see it again.").waitFor();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByText('Copied.').waitFor();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  expect(secret).toMatch(/^ttt_/);
  const row = dialog.getByRole('listitem').filter({ hasText: 'My first bot' });
  await row.getByText('Play games, Read stats and places').waitFor();
  await row.getByText('Never used').waitFor();
  const program = Object.assign(new Visitor(site.server), { accessToken: secret });
  const reads = async () => (await program.api(`/api/player/stats?userId=${visitor.user!.id}`)).status;
  expect(await reads()).toBe(200);

  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(secret);
  await row.getByRole('button', { name: 'Revoke My first bot' }).click();
  await dialog.getByText('No tokens yet.').waitFor();
  await eventually(() => page.evaluate<string>('document.activeElement.textContent'), 'New token');
  expect(await reads()).toBe(401);
});

test('an old session must sign in again to make a token, and finds what was typed, here and in the editor', async () => {
  const person = somebody();
  const page = await openPlayground({ as: await new Visitor(site.server).signIn(person) });
  await query(
    site.server,
    `UPDATE sessions SET created_at = created_at - interval '1 hour'
     WHERE player_id = (SELECT id FROM players WHERE email = $1)`,
    [person.email],
  );
  await openExample(page, 'MyStats');
  await page.getByRole('button', { name: 'Personal tokens' }).click();
  const dialog = page.getByRole('dialog', { name: 'Personal tokens' });
  await dialog.getByRole('button', { name: 'New token' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Bot of an evening');
  await dialog.getByLabel('Play games').uncheck();
  await dialog.getByLabel('Ends').selectOption('Never');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByRole('alert').getByText('please sign in again first').waitFor();
  await dialog.getByRole('button', { name: 'Sign in again with Google' }).click();
  await fillInProvider(page, person);

  await page.waitForURL(`${site.origin}/playground/?open=tokens`);
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Bot of an evening');
  expect(await dialog.getByLabel('Play games').isChecked()).toBe(false);
  expect(await dialog.getByLabel('Ends').inputValue()).toBe('');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText("Copy your token now. You won't see it again.").waitFor();
  await dialog.getByRole('listitem').getByText('No end').waitFor();
  expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain('Bot of an evening');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // GraphiQL opens one more tab when it has stored the text, but not yet the variables.
  await page.getByRole('tab', { name: /^MyStats/, selected: true }).waitFor();
});
