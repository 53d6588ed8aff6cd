import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { aPlayer, playTo } from './person.js';
import { startServer, type Server } from '../support/server.js';

let server: Server;
let browser: Browser;

jest.setTimeout(180_000);

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.remove();
});

async function openLeaderboard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Leaderboard' }).click();
  await page.getByRole('dialog', { name: 'Leaderboard' }).waitFor();
}

test('Who has the leaderboard open sees the win of somebody else arrive', async () => {
  const ada = await aPlayer(browser, server, { name: 'Ada' });
  const bea = await aPlayer(browser, server, { name: 'Bea' });
  const sockets: string[] = [];
  ada.on('websocket', (socket) => sockets.push(socket.url()));
  await openLeaderboard(ada);
  const asked: string[] = [];
  ada.on('request', (request) => asked.push(request.postData() ?? ''));

  await playTo(bea, 'win');

  const row = ada.getByRole('listitem').filter({ hasText: 'Bea' });
  await row.waitFor({ timeout: 5_000 });
  expect(await row.innerText()).toMatch(/1W/);
  expect(sockets).toEqual([`${server.origin.replace('http', 'ws')}/graphql`]);
  expect(asked.filter((body) => body.includes('"Leaderboard"'))).toEqual([]);
  await Promise.all([ada.context().close(), bea.context().close()]);
});

test('Where sockets are blocked it arrives all the same, a few seconds later', async () => {
  const ada = await aPlayer(browser, server, { name: 'Ada' });
  await ada.routeWebSocket(/graphql/, (socket) => socket.close());
  const cy = await aPlayer(browser, server, { name: 'Cy' });
  await openLeaderboard(ada);

  await playTo(cy, 'win');

  await ada.getByRole('listitem').filter({ hasText: 'Cy' }).waitFor({ timeout: 10_000 });
  await Promise.all([ada.context().close(), cy.context().close()]);
});
