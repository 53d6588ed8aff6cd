import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { aSite, eventually } from '../support/page.js';
import { playGame } from '../support/play.js';
import { aSignedInVisitor } from '../support/visitor.js';

const site = aSite();

const html = '<!doctype html><title>Blocked</title><h1>Your network blocks this page.</h1>';

/** What a company's proxy, a captive portal or a wrong reverse proxy answers in place of the server; more in authApi.test.ts. */
const FOREIGN: readonly (readonly [string, Parameters<Route['fulfill']>[0]])[] = [
  ['200 JSON', { status: 200, json: { status: 'ok', data: {} } }],
  ['302 to a portal', { status: 302, headers: { location: 'http://portal.example/sign-in' } }],
];

/** Whatever the page and the browser report of such an answer. */
const reported = (answer: Parameters<Route['fulfill']>[0]) =>
  answer!.status === 302 ? [/portal\.example/, /policy broken: connect-src/] : [];

const board = (page: Page) => page.getByRole('grid', { name: 'Board' });
const lastKnown = (page: Page) => page.getByRole('region', { name: 'Your Stats' }).getByText('Last known');
const kept = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => /\.(player|stats|ticket|outbox)\b/.test(key)));

test.each(FOREIGN)('a page that meets %s at its start keeps all, and goes on by itself', async (name, answer) => {
  const serviceWorkers = name === '200 JSON' ? 'allow' : 'block';
  const visitor = await aSignedInVisitor(site.server, { name: 'Ada Lovelace' });
  await playGame(site.server, visitor, { result: 'win' });
  const { page } = await site.openGame({ as: visitor, serviceWorkers });
  await eventually(async () => (await kept(page)).length, 6);
  if (serviceWorkers === 'allow') await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const before = await kept(page);
  site.expectProblem(...reported(answer), /^Failed to load stats/);
  await page.context().route('**/{graphql,auth/refresh}', (route) => route.fulfill(answer));
  await page.reload();
  await board(page).waitFor();
  await page.getByRole('banner').getByText('Ada Lovelace', { exact: true }).waitFor();
  await lastKnown(page).waitFor();
  const notLoaded = page.getByText("Couldn't load your last games.");
  await notLoaded.waitFor();
  expect(await kept(page)).toEqual(before);
  await page.context().unrouteAll();
  for (const note of [lastKnown(page), notLoaded]) await note.waitFor({ state: 'hidden' });
});

test('the web page of a portal is no answer to Logout, and no file', async () => {
  const { page } = await site.openGame({ path: '/?open=account' });
  await page.route('**/{auth/signout,api/account/export}', (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: html }),
  );
  await page.getByRole('button', { name: 'Download my data' }).click();
  await page.getByRole('alert').getByText('Your data could not be downloaded.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('alert').getByText("Couldn't sign out").waitFor();
  expect(await board(page).isVisible()).toBe(true);
});
