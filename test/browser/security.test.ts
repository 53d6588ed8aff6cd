import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, stopClock } from '../support/page.js';
import { sitDown } from '../support/table.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

// Its own server, as one test restarts it with other settings.
const site = aSite({});

const name = (page: Page, text: string) => page.getByRole('banner').getByText(text, { exact: true });
const address = (page: Page) => page.url().replace(site.origin, '');

describe('sign-in CSRF', () => {
  test("ignores another visitor's code, cleans the address and keeps the session", async () => {
    const { page } = await site.openGame({ name: 'Victim' });
    const { code } = await new Visitor(site.server).getCode();
    const exchanges: string[] = [];
    page.on('request', (request) => request.url().endsWith('/auth/token') && exchanges.push(request.url()));
    await page.goto(`${site.origin}/auth/callback?code=${code}`);
    await name(page, 'Victim').waitFor();
    expect(address(page)).toBe('/');
    expect(exchanges).toEqual([]);
  });

  test("refuses and consumes another visitor's code during a sign-in in the same tab", async () => {
    const page = await site.open();
    await page.evaluate(`sessionStorage.setItem('tic-tac-toe.sign-in.code-verifier', '${'v'.repeat(64)}')`);
    const { code, verifier } = await new Visitor(site.server).getCode();
    site.expectProblem(/status of 400 .*\/auth\/token/);
    await page.goto(`${site.origin}/auth/callback?code=${code}`);
    await page.getByRole('alert').filter({ hasText: 'This sign-in has expired' }).waitFor();
    expect(address(page)).toBe('/');
    // Its owner cannot use the consumed code either.
    expect((await new Visitor(site.server).exchange(code, verifier)).status).toBe(400);
  });
});

describe('a token in the address', () => {
  test('of another player is ignored and removed, on load and on a hash change', async () => {
    const attacker = await aSignedInVisitor(site.server, { name: 'Attacker' });
    const { page } = await site.openGame({ name: 'Victim', prepare: (page) => page.clock.install() });
    for (const path of [`/#access_token=${attacker.accessToken}`, `/?access_token=${attacker.accessToken}`]) {
      await page.goto('about:blank');
      await page.goto(site.origin + path);
      await name(page, 'Victim').waitFor();
      await page.waitForURL(`${site.origin}/`);
    }
    await stopClock(page);
    await page.evaluate(`void (location.hash = 'access_token=${attacker.accessToken}')`);
    await page.getByText('Processing authentication...').waitFor();
    await page.clock.resume();
    await name(page, 'Victim').waitFor();
    expect(address(page)).toBe('/');
    expect(await name(page, 'Attacker').count()).toBe(0);
  });
});

describe('token storage', () => {
  test('no storage, cache, database or global variable of the page holds a token after a game', async () => {
    const { page, table } = await sitDown(site, { serviceWorkers: 'allow' });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await table.choose('easy');
    await table.play('win');
    const found = await page.evaluate<string[]>(`(async () => {
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
      return kept.filter((text) => /eyJ[\\w-]+\\.[\\w-]+\\./.test(text ?? ''));
    })()`);
    expect(found).toEqual([]);
  });
});

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

describe('the security policy', () => {
  test('leaves a framed page empty', async () => {
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

  test('keeps injected markup from running scripts and sending requests', async () => {
    const { page } = await site.openGame();
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
});

describe('other origins', () => {
  test('a listed origin can use the API and show the pictures', async () => {
    const friend = await elsewhere('<h1>Another page</h1>');
    await site.server.restart({ CORS_ORIGINS: friend.origin });
    const { user } = await aSignedInVisitor(site.server);
    const page = await (await site.newContext()).newPage();
    site.expectProblem(/^Request to http:\/\/127/);
    await page.goto(friend.origin);
    const seen = await page.evaluate(`(async () => {
      const board = await fetch('${site.origin}/api/leaderboard?_=1', {
        headers: { 'if-none-match': '"x"', traceparent: '00-${'1'.repeat(32)}-${'2'.repeat(16)}-01', 'idempotency-key': 'a' },
      });
      const posted = await fetch('${site.origin}/graphql', {
        method: 'POST',
        headers: {
          'content-type': 'application/json', 'apollo-require-preflight': 'true', 'x-apollo-operation-name': 'A',
          'apollographql-client-name': 'friend', 'apollographql-client-version': '1',
        },
        body: '{"query":"query A { __typename }"}',
      });
      const got = await fetch('${site.origin}/graphql?query={__typename}', {
        headers: { accept: 'application/graphql-response+json, application/graphql+json, application/json' },
      });
      const picture = new Image();
      picture.src = '${site.origin}/avatar/${user.id}.svg';
      await picture.decode();
      return { etag: board.headers.has('etag'), posted: await posted.json(), got: await got.json(), picture: picture.naturalWidth };
    })()`);
    friend.close();
    const answer = { data: { __typename: 'Query' }, extensions: { cost: expect.anything() } };
    expect(seen).toEqual({ etag: true, posted: answer, got: answer, picture: 128 });
  });
});

test('an unknown address shows a page with a link to the game', async () => {
  site.expectProblem(/status of 404/);
  const page = await site.open({ path: '/nothing/here' });
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  await page.getByRole('link', { name: 'Back to the game' }).click();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  expect(address(page)).toBe('/');
});
