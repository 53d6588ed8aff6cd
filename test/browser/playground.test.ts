import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, eventually, fillInProvider, goToProvider, type OpenOptions, somebody } from '../support/page.js';
import { emptyLeaderboard, signedInLongAgo } from '../support/server.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';
import { expectFits } from './inView.js';

// Every test checks that no page breaks its security policy, reports an error or sends a request to another origin.
const site = aSite();

async function openPlayground(options: OpenOptions = {}) {
  const page = await site.open({ path: '/playground/', ...options });
  await page.getByText('The leaderboard: everybody').first().waitFor();
  await page.locator('.graphiql-response .monaco-editor').first().waitFor({ state: 'attached' });
  return page;
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

test('the playground opens at /graphql, fits a phone, and works without a player: it runs queries, shows the live leaderboard until it is left, and builds a query by keys alone; a sign-in returns to an opened link', async () => {
  await emptyLeaderboard(site.server);
  const [first, second] = [
    await aSignedInVisitor(site.server, { name: 'Grace Hopper' }),
    await aSignedInVisitor(site.server, { name: 'Edsger Dijkstra' }),
  ];
  await first.report();
  let isBusy = false;
  const prepare = (page: Page) =>
    page.routeWebSocket(/\/graphql$/, (socket) => {
      if (isBusy) void socket.close({ code: 4503, reason: 'Too busy' });
      else socket.connectToServer();
    });
  const page = await openPlayground({ path: '/graphql', prepare });
  expect(page.url()).toBe(`${site.origin}/playground/`);
  await page.getByText('Not signed in.').waitFor();
  await expectFits(page, executeButton(page), page.getByRole('link', { name: 'Sign in' }));
  expect(await page.getByRole('link', { name: 'To the game' }).getAttribute('href')).toBe('/');
  expect((await run(page, 'Leaderboard')).answer.errors).toBeUndefined();

  // The editor draws what is in view.
  await page.setViewportSize({ width: 1280, height: 1600 });
  const closesWith = async (leave: () => Promise<unknown>) => {
    const [socket] = await Promise.all([page.waitForEvent('websocket'), executeButton(page).click()]);
    await resultPane(page).getByText('"Grace Hopper"').first().waitFor();
    const closed = socket.waitForEvent('close');
    await leave();
    await closed;
  };
  await openExample(page, 'LiveLeaderboard');
  await closesWith(async () => {
    await second.report();
    await resultPane(page).getByText('"Edsger Dijkstra"').waitFor();
    // The times of the events.
    const times = resultPane(page).getByText(/"at":\s"[\d:]{8}"/);
    await eventually(() => times.count(), 2);
    await page.getByRole('button', { name: /^Stop query/ }).click();
  });
  await closesWith(() => openExample(page, 'MyStats'));
  isBusy = true;
  site.expectProblem(/Socket closed with event 4503/);
  await openExample(page, 'LiveLeaderboard');
  await executeButton(page).click();
  await resultPane(page).getByText('Too busy').waitFor();
  await executeButton(page).waitFor();

  await openExample(page, 'MyStats');
  await page.getByText('put a token into "Headers" below').first().waitFor();
  const { answer, authorization } = await run(page, 'MyStats');
  expect(authorization).toBeNull();
  expect(answer.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  await resultPane(page).getByText('send a token from /playground').waitFor();

  await openExample(page, 'Leaderboard');
  await page.setViewportSize({ width: 1280, height: 720 });
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
  // The editor is GraphiQL's own.
  const but = ['.graphiql-sidebar', '.graphiql-sessions'];
  await expectNoViolations(page, { but, inView: [page.locator('.graphiql-plugin')] });

  const many = Array.from({ length: 21 }, (_, at) => `query Q${at}{me{name}}`);
  await page.goto(linkOf(many.join('')));
  await builder.getByText('shows up to 20 operations').waitFor();
  await page.goto(linkOf(many.slice(0, 20).join('')));
  await eventually(() => opens.count(), 20);

  // The sign-in returns to an opened link.
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
  const signedIn = await run(page, 'Shared');
  expect(signedIn.authorization).toMatch(/^Bearer /);
  expect(signedIn.answer.data).toMatchObject({ me: { name: 'Alan Turing' } });
  // It opens once.
  expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain('Shared');
});

test('a link has the query and no token, and opens it beside what is stored, without a run', async () => {
  const as = await aSignedInVisitor(site.server);
  const page = await openPlayground({ as });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
  await page.getByRole('region', { name: 'Variables' }).click();
  const typed = `{ "by mistake": "ttt_secret, ${as.accessToken}" }`;
  await page.keyboard.insertText(typed);
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

  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.postData() ?? ''));
  const kept = () =>
    page.evaluate(() => {
      // GraphiQL writes it a moment after a change.
      const { tabs } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{"tabs":[]}') as {
        tabs: Record<string, string | null>[];
      };
      return tabs.map(({ title, variables }) => [title, variables]);
    });
  const mine: (string | null | undefined)[][] = [
    ['Leaderboard', typed],
    ['MyStats', null],
    ['LiveLeaderboard', null],
  ];
  await eventually(kept, mine);
  // In the open page, and in a new one.
  await page.goto(link.href);
  await eventually(kept, [...mine, ['Leaderboard', variables]]);
  await page.goto('about:blank');
  await page.goto(link.href);
  await eventually(kept, [...mine, ['Leaderboard', variables], ['Leaderboard', variables]]);
  await page.getByRole('tab', { name: /^Leaderboard/, selected: true }).waitFor();
  expect(page.url()).toBe(`${site.origin}/playground/`);
  expect(asked.filter((body) => body.includes('query Leaderboard'))).toEqual([]);

  // The operation of a link is chosen, but no mutation: a key runs the chosen one.
  await page.setViewportSize({ width: 320, height: 640 });
  const chosen = async () => (await kept()).at(-1)?.[0];
  await page.goto(linkOf('query A{__typename} mutation Leaderboard{setPageOpen(open:false)}', 'Leaderboard'));
  await eventually(chosen, 'A');
  await page.goto(linkOf('query A{__typename} query B{me{name}}', 'B'));
  await eventually(chosen, 'B');
  const edges = () =>
    page.evaluate(() =>
      ['.graphiql-tab-active', '.graphiql-tabs'].map((part) => document.querySelector(part)!.getBoundingClientRect()),
    );
  const [tab, strip] = (await edges()) as [DOMRect, DOMRect];
  expect(strip.width).toBeGreaterThan(150);
  expect([tab.left >= strip.left, tab.right <= strip.right + 1]).toEqual([true, true]);
  expect(await page.getByRole('status').evaluate((nothing) => nothing.clientWidth)).toBe(0);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('status').getByText('Copied.').waitFor();
  const copy = await page.evaluate(() => navigator.clipboard.readText());
  expect(copy).toMatch(/&operationName=B$/);

  // The server refuses what is longer, so the page neither opens nor copies it.
  const tooLong = page.getByRole('status').getByText('The query of this link is too long.');
  const longest = '#\n'.repeat(8_192);
  await page.goto(linkOf(`${longest}#`));
  await tooLong.waitFor();
  await eventually(chosen, 'B');
  await page.goto(linkOf(longest));
  await eventually(async () => (await chosen()) === 'B', false);
  await page.locator('.graphiql-query-editor').click();
  await page.keyboard.press('#');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await tooLong.waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(copy);
});

test('a personal token is made, copied once, used by a program and revoked; a player without a recent sign-in signs in again to make one, and finds what was typed; the page sends the newest access token, and nothing stores it', async () => {
  const person = somebody("Seán O'Casey");
  const visitor = await new Visitor(site.server).signIn(person);
  const page = await openPlayground({ as: visitor });
  await openExample(page, 'MyStats');
  const { authorization } = await run(page, 'MyStats');
  await page.getByRole('button', { name: 'Headers' }).click();
  const editor = page.getByRole('region', { name: 'Headers' });
  await eventually(async () => (await editor.innerText()).includes('"Authorization"'), true);
  const stored = () =>
    page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
  expect(await stored()).not.toContain(authorization!.slice('Bearer '.length));

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
  await page.getByRole('button', { name: 'Personal tokens' }).click();
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
  const reads = async () => (await program.api(`/api/player/stats?userId=${visitor.user.id}`)).status;
  expect(await reads()).toBe(200);

  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(secret);
  await row.getByRole('button', { name: 'Revoke My first bot' }).click();
  await dialog.getByText('No tokens yet.').waitFor();
  await eventually(() => page.evaluate<string>('document.activeElement.textContent'), 'New token');
  expect(await reads()).toBe(401);

  await signedInLongAgo(site.server, person.email);
  await dialog.getByRole('button', { name: 'New token' }).click();
  await name.fill('Bot of an evening');
  await dialog.getByLabel('Play games').uncheck();
  await dialog.getByLabel('Ends').selectOption('Never');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByRole('alert').getByText('please sign in again first').waitFor();
  await dialog.getByRole('button', { name: 'Sign in again with Google' }).click();
  await fillInProvider(page, person);

  await page.waitForURL(`${site.origin}/playground/?open=tokens`);
  expect(await name.inputValue()).toBe('Bot of an evening');
  expect(await dialog.getByLabel('Play games').isChecked()).toBe(false);
  expect(await dialog.getByLabel('Ends').inputValue()).toBe('');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText("Copy your token now. You won't see it again.").waitFor();
  await dialog.getByRole('listitem').getByText('No end').waitFor();
  expect(await stored()).not.toContain('Bot of an evening');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // GraphiQL opens one more tab when it has stored the text, but not yet the variables.
  await page.getByRole('tab', { name: /^MyStats/, selected: true }).waitFor();

  // The token of the session ends after ten minutes.
  const before = await run(page, 'MyStats');
  await site.server.moveClock(11 * 60_000);
  try {
    // From here on: the editor, which draws by many timers, once did not appear on a page that began with such a clock.
    await page.clock.install();
    await page.clock.fastForward(11 * 60_000);
    const later = await run(page, 'MyStats');
    expect(later.answer).toMatchObject({ data: { me: { name: person.name } } });
    expect(later.authorization).not.toBe(before.authorization);
  } finally {
    await site.server.resetClock();
  }
});
