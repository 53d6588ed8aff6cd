import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blockOf } from '../support/apiDocument.js';
import { aSite, eventually } from '../support/page.js';
import { aSignedInVisitor } from '../support/visitor.js';

const site = aSite();

/** Another site, with the page of docs/api.md. */
let other: HttpServer;
beforeAll(async () => {
  other = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(blockOf('html page'));
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
});
afterAll(() => void other.close());

test('a page of another origin reads the board, asks whether it has changed, and reads nothing of a player', async () => {
  const player = await aSignedInVisitor(site.server, { name: 'Ada' });
  await player.postJson('/api/player/stats', { userId: player.user.id, result: 'win', difficulty: 'easy' });
  await site.server.moveClock(1_000);
  const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  site.expectProblem(new RegExp(`^Request to ${origin}/`));

  const page = await (await site.newContext()).newPage();
  await page.goto(`${origin}/?server=${site.origin}`);
  await eventually(() => page.getByRole('listitem').allTextContents(), ['Ada: 1']);

  const again = await page.evaluate(async (address) => {
    const tag = (await fetch(address)).headers.get('etag')!;
    return (await fetch(address, { headers: { 'If-None-Match': tag } })).status;
  }, `${site.origin}/api/leaderboard`);
  expect(again).toBe(304);

  site.expectProblem(/\/api\/player\/stats' from origin .* has been blocked by CORS policy/, /net::ERR_FAILED/);
  const read = (address: string) => fetch(address).then(({ status }) => status, String);
  expect(await page.evaluate(read, `${site.origin}/api/player/stats`)).toBe('TypeError: Failed to fetch');
});
