import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, fillInProvider, goToProvider, isOperation, signInAs, somebody } from '../support/page.js';
import { query } from '../support/server.js';
import { Table } from '../support/table.js';

const site = aSite();

const runButton = (page: Page) => page.getByRole('button', { name: /^Execute/ });

/** Runs the operation in the editor and returns the server's answer. */
async function run(page: Page) {
  await page.getByText('The signed-in player').first().waitFor();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => isOperation('Me')(response.request())),
    runButton(page).click(),
  ]);
  return {
    authorization: await answer.request().headerValue('authorization'),
    body: (await answer.json()) as {
      data: { me: { id: string; name: string } } | null;
      errors?: { extensions: { code: string } }[];
    },
  };
}

// Every test checks that no page breaks its security policy, reports an error or sends a request to another origin.
test('a tour of the whole product stays on its own origin and within its security policy', async () => {
  const page = await site.open({ reducedMotion: 'no-preference', serviceWorkers: 'allow' });
  const sent = new Set<string>();
  page.on('request', (request) => {
    if (request.url() === `${site.origin}/graphql`) sent.add((request.postDataJSON() as { query: string }).query);
  });
  const table = await Table.at(page, site.server, { real: true });
  const person = somebody();
  await signInAs(page, { ...person, provider: 'GitHub' });
  await table.choose('easy');
  await table.play('win');
  await table.statsBecome('1', '1/3', '1', '0', '0');
  for (const name of ['Leaderboard', 'Keyboard shortcuts']) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('dialog', { name }).getByRole('button', { name: 'Close' }).click();
  }
  await page.getByRole('button', { name: 'Use the dark theme' }).click();
  await page.getByRole('button', { name: 'Use the light theme' }).waitFor();
  for (const load of [() => Promise.resolve(null), () => page.reload()]) {
    await load();
    // The browser takes the first colour that applies.
    const bar = await page.evaluate<string>(
      `[...document.querySelectorAll('meta[name=theme-color]')].find(({ media }) => matchMedia(media).matches).content`,
    );
    expect(bar).toBe('#11141c');
  }

  // The server compiles the operations of this list.
  const compiled = JSON.parse(readFileSync('dist/client/.vite/operations.json', 'utf8')) as string[];
  expect(compiled).toEqual(expect.arrayContaining([...sent]));
  expect([...sent].some((text) => text.startsWith('mutation FinishGame'))).toBe(true);

  await page.goto(`${site.origin}/playground`);
  await page.getByText(`Signed in as ${person.name}`).waitFor();
  await run(page);
  await page.getByRole('link', { name: 'To the game' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
});

test('the playground opens at /graphql, works without a player, and sends the token after a sign-in', async () => {
  const page = await site.open({ path: '/graphql' });
  await page.waitForURL('**/playground/');
  await page.getByRole('heading', { name: 'Playground' }).waitFor();
  await page.getByText('Not signed in.').waitFor();
  const signedOut = await run(page);
  expect(signedOut.authorization).toBeNull();
  expect(signedOut.body.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');

  const person = somebody('Alan Turing');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await goToProvider(page, 'Google');
  await fillInProvider(page, person);
  await page.waitForURL('**/playground/');
  await page.getByText('Signed in as Alan Turing').waitFor();
  const { authorization, body } = await run(page);
  expect(authorization).toMatch(/^Bearer /);
  const [player] = await query<{ id: string }>(site.server, 'SELECT id FROM players WHERE email = $1', [person.email]);
  expect(body.data?.me).toMatchObject({ id: player!.id, name: 'Alan Turing' });
  await page.getByRole('region', { name: 'Operation result' }).or(page.locator('.graphiql-response')).first().waitFor();
  const kept = await page.evaluate<string>('JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])');
  expect(kept).not.toContain(authorization!.slice('Bearer '.length));
});

test('the page says that it needs JavaScript when scripts are off', async () => {
  const page = await site.open({ javaScriptEnabled: false });
  expect(await page.locator('noscript').innerText()).toBe('Tic-Tac-Toe needs JavaScript to play.');
});
