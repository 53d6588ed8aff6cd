import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite } from '../support/page.js';
import { sitDown } from '../support/table.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

const site = aSite();

const name = (page: Page, text: string) => page.getByRole('banner').getByText(text, { exact: true });
const address = (page: Page) => page.url().replace(site.origin, '');

describe('Login CSRF on our own code', () => {
  test('the attacker’s code opened in the victim’s browser: refused, URL cleaned, the victim’s session kept', async () => {
    const { page } = await site.openGame({ name: 'Victim' });
    const { code } = await new Visitor(site.server).getCode();
    const exchanges: string[] = [];
    page.on('request', (request) => request.url().endsWith('/auth/token') && exchanges.push(request.url()));
    await page.goto(`${site.origin}/auth/callback?code=${code}`);
    await name(page, 'Victim').waitFor();
    expect(address(page)).toBe('/');
    expect(exchanges).toEqual([]);
  });

  test('also while the victim has a login of their own under way in that tab', async () => {
    const page = await site.open();
    await page.evaluate(`sessionStorage.setItem('tic-tac-toe.sign-in.code-verifier', '${'v'.repeat(64)}')`);
    const { code, verifier } = await new Visitor(site.server).getCode();
    site.expectProblem(/status of 400 .*\/auth\/token/);
    await page.goto(`${site.origin}/auth/callback?code=${code}`);
    await page.getByRole('alert').filter({ hasText: 'took too long or was already used' }).waitFor();
    expect(address(page)).toBe('/');
    // The code is burnt: not even its owner can use it now.
    expect((await new Visitor(site.server).exchange(code, verifier)).status).toBe(400);
  });
});

describe('Token in a URL', () => {
  test('another player’s true token, on load and by hashchange, is ignored and removed', async () => {
    const attacker = await aSignedInVisitor(site.server, { name: 'Attacker' });
    const { page } = await site.openGame({ name: 'Victim' });
    for (const path of [`/#access_token=${attacker.accessToken}`, `/?access_token=${attacker.accessToken}`]) {
      await page.goto('about:blank');
      await page.goto(site.origin + path);
      await name(page, 'Victim').waitFor();
      await page.waitForURL(`${site.origin}/`);
    }
    await page.evaluate(`void (location.hash = 'access_token=${attacker.accessToken}')`);
    await page.getByText('Processing authentication...').waitFor();
    await name(page, 'Victim').waitFor();
    expect(address(page)).toBe('/');
    expect(await name(page, 'Attacker').count()).toBe(0);
  });
});

describe('Token storage', () => {
  test('after a sign-in and a game, no storage, cache, database or global of the page holds a token', async () => {
    const { page, table } = await sitDown(site);
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

/** A site of somebody else's, which serves one page and remembers who came. */
async function elsewhere(html = '') {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.setHeader('content-type', 'text/html').end(html);
  });
  // A test that fails must not keep Jest waiting.
  server.unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => server.close(),
  };
}

describe('Clickjacking, CSP, sniffing', () => {
  test('a framed page stays empty', async () => {
    const frames = ['/', '/playground/'].map((path) => `<iframe src="${site.origin}${path}"></iframe>`);
    const evil = await elsewhere(`<h1>Win a prize</h1>${frames.join('')}`);
    const page = await (await site.newContext()).newPage();
    site.expectProblem(/^Request to http:\/\/127/, /frame/i);
    await page.goto(evil.origin);
    await page.waitForLoadState('networkidle');
    const texts = await Promise.all(page.frames().map((frame) => frame.locator('body').innerText()));
    evil.close();
    expect(page.frames()).toHaveLength(3);
    expect(texts.join(' ')).toContain('Win a prize');
    expect(texts.join(' ')).not.toMatch(/Tic-Tac-Toe|Continue with/);
  });

  test('markup that somebody got into the page runs nothing and asks nobody', async () => {
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
