import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { aSite, eventually } from '../support/page.js';
import { playGame } from '../support/play.js';
import { aSignedInVisitor } from '../support/visitor.js';

const site = aSite();

/** What a company's proxy, a captive portal or a wrong reverse proxy answers in place of the server; more in authApi.test.ts. */
const FOREIGN: readonly Parameters<Route['fulfill']>[0][] = [
  { status: 200, json: { status: 'ok', data: {} } },
  { status: 302, headers: { location: 'http://portal.example/sign-in' } },
];

const kept = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => /\.(player|stats|ticket|outbox)\b/.test(key)));

test('a page that meets foreign answers at its start keeps everything and recovers by itself; a foreign answer ends no session and saves no file', async () => {
  const visitor = await aSignedInVisitor(site.server, { name: 'Ada Lovelace' });
  await playGame(site.server, visitor, { result: 'win' });
  const { page } = await site.openGame({ as: visitor });
  const board = page.getByRole('grid', { name: 'Board' });
  const lastKnown = page.getByRole('region', { name: 'Your Stats' }).getByText('Last known');
  const notLoaded = page.getByText("Couldn't load your last games.");
  site.expectProblem(/portal\.example/, /policy broken: connect-src/, /^Failed to load stats/);
  for (const answer of FOREIGN) {
    await eventually(async () => (await kept(page)).length, 6);
    const before = await kept(page);
    await page.route('**/{graphql,auth/refresh}', (route) => route.fulfill(answer));
    await page.reload();
    await board.waitFor();
    await page.getByRole('banner').getByText('Ada Lovelace', { exact: true }).waitFor();
    for (const note of [lastKnown, notLoaded]) await note.waitFor();
    expect(await kept(page)).toEqual(before);
    await page.unrouteAll();
    for (const note of [lastKnown, notLoaded]) await note.waitFor({ state: 'hidden' });
  }

  const body = '<!doctype html><title>Blocked</title><h1>Your network blocks this page.</h1>';
  await page.route('**/{auth/signout,api/account/export}', (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body }),
  );
  await page.getByRole('button', { name: ', open account' }).click();
  await page.getByRole('button', { name: 'Download my data' }).click();
  await page.getByRole('alert').getByText('Your data could not be downloaded.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('alert').getByText("Couldn't sign out").waitFor();
  expect(await board.isVisible()).toBe(true);
});
