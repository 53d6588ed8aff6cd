import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, fillInProvider, goToProvider, isOperation, signInAs, somebody } from '../support/page.js';
import { Table } from '../support/table.js';

const site = aSite();

const runButton = (page: Page) => page.getByRole('button', { name: /^Execute/ });

/** Runs what is in the editor, and returns what the server answers. */
async function run(page: Page) {
  await page.getByText('Who is signed in').first().waitFor();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => isOperation('Me')(response.request())),
    runButton(page).click(),
  ]);
  return {
    authorization: await answer.request().headerValue('authorization'),
    body: (await answer.json()) as {
      data: { me: { name: string } } | null;
      errors?: { extensions: { code: string } }[];
    },
  };
}

// That no page breaks its content security policy, reports an error or asks another origin is checked in every test.
test('a tour of the whole product stays on its own origin and within its security policy', async () => {
  const page = await site.open({ reducedMotion: 'no-preference' });
  const table = await Table.at(page);
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
    // The browser's bar takes the first colour that applies.
    const bar = await page.evaluate<string>(
      `[...document.querySelectorAll('meta[name=theme-color]')].find(({ media }) => matchMedia(media).matches).content`,
    );
    expect(bar).toBe('#11141c');
  }

  await page.goto(`${site.origin}/playground`);
  await page.getByText(`Signed in as ${person.name}`).waitFor();
  await run(page);
  await page.getByRole('link', { name: 'To the game' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
});

test('the playground asks in the name of the signed-in player', async () => {
  const { page: game, visitor } = await site.openGame({ name: 'Alan Turing' });
  const page = await game.context().newPage();
  await page.goto(`${site.origin}/playground`);
  await page.getByText('Signed in as Alan Turing').waitFor();
  const { authorization, body } = await run(page);
  expect(authorization).toMatch(/^Bearer /);
  expect(body.data?.me).toMatchObject({ id: visitor.user?.id, name: 'Alan Turing' });
  await page.getByRole('region', { name: 'Operation result' }).or(page.locator('.graphiql-response')).first().waitFor();
  const kept = await page.evaluate<string>('JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])');
  expect(kept).not.toContain(authorization!.slice('Bearer '.length));
});

test('the playground works without a player too, and says so', async () => {
  const page = await site.open({ path: '/playground' });
  await page.getByText('Not signed in.').waitFor();
  const { authorization, body } = await run(page);
  expect(authorization).toBeNull();
  expect(body.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
});

test('a visitor of the playground signs in and is back there', async () => {
  const page = await site.open({ path: '/playground/' });
  const person = somebody();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await goToProvider(page, 'Google');
  await fillInProvider(page, person);
  await page.waitForURL('**/playground/');
  await page.getByText(`Signed in as ${person.name}`).waitFor();
});

test('a browser that opens /graphql is led to the playground', async () => {
  const page = await site.open({ path: '/graphql' });
  await page.waitForURL('**/playground/');
  await page.getByRole('heading', { name: 'Playground' }).waitFor();
});

test('the page says what it needs when scripts are switched off', async () => {
  const page = await site.open({ javaScriptEnabled: false });
  expect(await page.locator('noscript').innerText()).toBe('Tic-Tac-Toe needs JavaScript to play.');
});
