import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { isSecureContext } from '../../server/settings/env.js';
import { blockOf } from '../support/apiDocument.js';
import { aSite, signInAs, somebody, stopClock } from '../support/page.js';
import { startBeside } from '../support/server.js';
import { sitDown, Table } from '../support/table.js';
import { aSignedInVisitor, type TokenAnswer, Visitor } from '../support/visitor.js';

const site = aSite();

/** An address at which a browser gives a page no secure context. */
const PLAIN = 'http://192.168.1.5:3000';

const name = (page: Page, text: string) => page.getByRole('banner').getByText(text, { exact: true });

/** A server on another origin, which serves one page and records the requests. */
async function elsewhere(html = '') {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.setHeader('content-type', 'text/html').end(html);
  });
  // A failed test must not keep Jest waiting.
  server.unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => server.close(),
  };
}

test('the code and the token of others in the address are ignored and removed, and injected markup runs no scripts and sends no requests', async () => {
  const attacker = await aSignedInVisitor(site.server, { name: 'Attacker' });
  const token = `access_token=${attacker.accessToken}`;
  const { page, table } = await sitDown(site, { name: 'Victim', path: `/#${token}` });
  const { code } = await new Visitor(site.server).getCode();
  const exchanges: string[] = [];
  page.on('request', (request) => request.url().endsWith('/auth/token') && exchanges.push(request.url()));
  for (const path of [null, `/?${token}`, `/auth/callback?code=${code}`]) {
    if (path) await page.goto(site.origin + path);
    await name(page, 'Victim').waitFor();
    await page.waitForURL(`${site.origin}/`);
  }
  expect(exchanges).toEqual([]);

  // In a game, the address changes without a load.
  await table.myTurn();
  await table.click(4);
  await table.myTurn();
  const before = await table.marks();
  await stopClock(page);
  await page.evaluate(`void (location.hash = '${token}')`);
  await page.getByText('Processing authentication...').waitFor();
  await page.clock.resume();
  await name(page, 'Victim').waitFor();
  expect(page.url()).toBe(`${site.origin}/`);
  expect(await name(page, 'Attacker').count()).toBe(0);
  expect(await table.marks()).toBe(before);
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(attacker.accessToken);

  const evil = await elsewhere();
  site.expectProblem(/script-src/, /img-src/, /connect-src/, /Refused to connect/, /^Request to http:\/\/127/);
  await page.evaluate(`{
    const place = document.body.appendChild(document.createElement('div'));
    place.innerHTML = '<img src="${evil.origin}/picture" onerror="window.ran = 1">';
    place.appendChild(document.createElement('script')).textContent = 'window.ran = 2';
    fetch('${evil.origin}/fetched').catch(() => (window.refused = true));
  }`);
  await page.waitForFunction('window.refused');
  evil.close();
  expect(await page.evaluate('window.ran ?? null')).toBeNull();
  expect(evil.asked).toEqual([]);
});

test('no storage, cache, database or global variable of the page holds a secret after a sign-in and a game', async () => {
  const page = await site.open({ serviceWorkers: 'allow' });
  const table = await Table.at(page, site.server);
  await page.waitForLoadState('networkidle');
  // The login screen needs none.
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  const [exchange] = await Promise.all([page.waitForResponse('**/auth/token'), signInAs(page, somebody())]);
  const { access_token } = (await exchange.json()) as TokenAnswer;
  const refresh = (await page.context().cookies()).filter(({ name }) => name === 'refresh');
  expect(refresh).toEqual([expect.objectContaining({ httpOnly: true, sameSite: 'Strict' })]);
  const keys = await page.evaluate<string[]>('[...Object.keys(localStorage), ...Object.keys(sessionStorage)]');
  // A ticket is worth nothing without the player's token.
  const others = keys.filter((key) => !/^tic-tac-toe\.(ticket|stats|round)\./.test(key));
  expect(others.sort()).toEqual(['tic-tac-toe.player', 'tic-tac-toe.provider']);
  const player = await page.evaluate<string>(`localStorage['tic-tac-toe.player']`);
  expect(JSON.parse(player)).toMatchObject({ email: null });

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await table.choose('easy');
  await table.play('win');
  const kept = await page.evaluate<string[]>(`(async () => {
    const kept = [document.cookie, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.documentElement.outerHTML];
    for (const key of await caches.keys()) {
      const cache = await caches.open(key);
      for (const request of await cache.keys()) {
        kept.push(request.url, JSON.stringify([...request.headers]));
        kept.push(await (await cache.match(request)).text());
      }
    }
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise((done) => (indexedDB.open(name).onsuccess = (event) => done(event.target.result)));
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store).getAll();
        kept.push(JSON.stringify(await new Promise((done) => (all.onsuccess = () => done(all.result)))));
      }
    }
    for (const key of Object.getOwnPropertyNames(window)) {
      try { kept.push(typeof window[key] === 'string' ? window[key] : JSON.stringify(window[key])); } catch {}
    }
    return kept.map(String);
  })()`);
  const secret = new RegExp(`eyJ[\\w-]+\\.[\\w-]+\\.|${access_token}|${refresh[0]!.value}`);
  expect(kept.filter((text) => secret.test(text))).toEqual([]);
});

test('a page in a frame of another origin stays empty', async () => {
  const frames = ['/', '/playground/', '/moderation/'].map((path) => `<iframe src="${site.origin}${path}"></iframe>`);
  const evil = await elsewhere(`<h1>Win a prize</h1>${frames.join('')}`);
  const page = await (await site.newContext()).newPage();
  site.expectProblem(/^Request to http:\/\/127/, /frame/i);
  await page.goto(evil.origin);
  await page.waitForLoadState('networkidle');
  const texts = await Promise.all(page.frames().map((frame) => frame.locator('body').innerText()));
  evil.close();
  expect(page.frames()).toHaveLength(frames.length + 1);
  expect(texts.join(' ')).toContain('Win a prize');
  expect(texts.join(' ')).not.toMatch(/Tic-Tac-Toe|Continue with|Moderation/);
});

describe('a page of another origin', () => {
  test('reads the board, asks whether it has changed, and reads nothing of a player', async () => {
    const player = await aSignedInVisitor(site.server, { name: 'Ada' });
    await player.report();
    await site.server.moveClock(1_000);
    // The page of docs/api.md.
    const other = await elsewhere(blockOf('html page'));
    site.expectProblem(new RegExp(`^Request to ${other.origin}/`));
    const page = await (await site.newContext()).newPage();
    await page.goto(`${other.origin}/?server=${site.origin}`);
    await page.getByRole('listitem').getByText('Ada: 1').waitFor();

    const again = await page.evaluate(async (address) => {
      const tag = (await fetch(address)).headers.get('etag')!;
      return (await fetch(address, { headers: { 'If-None-Match': tag } })).status;
    }, `${site.origin}/api/leaderboard`);
    expect(again).toBe(304);

    site.expectProblem(/\/api\/player\/stats' from origin .* has been blocked by CORS policy/, /net::ERR_FAILED/);
    const read = (address: string) => fetch(address).then(({ status }) => status, String);
    expect(await page.evaluate(read, `${site.origin}/api/player/stats`)).toBe('TypeError: Failed to fetch');
    other.close();
  });

  test('that is listed can use the API and show the pictures; a server with a PUBLIC_ORIGIN on plain http warns that nobody can sign in', async () => {
    const friend = await elsewhere('<h1>Another page</h1>');
    const { user } = await aSignedInVisitor(site.server);
    const server = await startBeside(site.server, { CORS_ORIGINS: friend.origin, PUBLIC_ORIGIN: PLAIN });
    expect(server.log()).toContain(`PUBLIC_ORIGIN is ${PLAIN}: nobody can sign in`);
    const page = await (await site.newContext()).newPage();
    site.expectProblem(/^Request to http:\/\/127/, new RegExp(`^Request to ${server.origin}/`));
    await page.goto(friend.origin);
    const seen = await page.evaluate(`(async () => {
      const board = await fetch('${server.origin}/api/leaderboard?_=1', {
        headers: { 'if-none-match': '"x"', traceparent: '00-${'1'.repeat(32)}-${'2'.repeat(16)}-01', 'idempotency-key': 'a' },
      });
      const posted = await fetch('${server.origin}/graphql', {
        method: 'POST',
        headers: {
          'content-type': 'application/json', 'apollo-require-preflight': 'true', 'x-apollo-operation-name': 'A',
          'apollographql-client-name': 'friend', 'apollographql-client-version': '1',
        },
        body: '{"query":"query A { __typename }"}',
      });
      const got = await fetch('${server.origin}/graphql?query={__typename}', {
        headers: { accept: 'application/graphql-response+json, application/graphql+json, application/json' },
      });
      const picture = new Image();
      picture.src = '${server.origin}/avatar/${user.id}.svg';
      await picture.decode();
      return { etag: board.headers.has('etag'), posted: await posted.json(), got: await got.json(), picture: picture.naturalWidth };
    })()`);
    friend.close();
    const answer = { data: { __typename: 'Query' }, extensions: { cost: expect.anything() } };
    expect(seen).toEqual({ etag: true, posted: answer, got: answer, picture: 128 });
    await server.remove();
  });
});

test('over plain http, the page asks for https and plays the trial game', async () => {
  const page = await (await site.newContext()).newPage();
  site.expectProblem(
    /^Request to http:/,
    /has been ignored, because the URL's origin was untrustworthy|Origin-Agent-Cluster/,
  );
  await page.route(`${PLAIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const headers = { ...route.request().headers(), origin: site.origin };
    await route.fulfill({ response: await route.fetch({ url: site.origin + pathname, headers }) });
  });
  await page.goto(PLAIN);
  await page.getByRole('alert').getByText('Open this page over https.').waitFor();
  expect(await page.getByRole('button').allTextContents()).toHaveLength(1);
  await page.getByRole('button', { name: 'Try a game: you are X' }).locator('.square').nth(2).click();
  await page.getByText('Your turn (X)', { exact: true }).waitFor();

  const warned = ['http://play.home.arpa', 'http://127.0.0.1.example.org:8080', PLAIN];
  const others = ['http://127.0.0.1', 'http://[::1]:3000', 'http://play.localhost:3000', 'https://play.example.org'];
  expect([...warned, ...others].filter((origin) => !isSecureContext(origin))).toEqual(warned);
});
