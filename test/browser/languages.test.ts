import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import catalogs from '../../lingui.config.js';
import { launchWithTextSize } from '../support/chromium.js';
import { aSite, eventually } from '../support/page.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';

const site = aSite();
const FOLDER = new URL('../../client/messages/locales/', import.meta.url);
const LANGUAGES = readdirSync(FOLDER).flatMap((file) => /^(.+)\.po$/.exec(file)?.[1] ?? []);

/** Each sentence in English and in the language, without those that are the same. */
async function sentencesOf(language: string): Promise<Map<string, string>> {
  const file = new URL(`${language}.po`, FOLDER);
  const context = { locale: language, sourceLocale: 'en', filename: file.pathname };
  const entries = Object.values(await catalogs.format.parse(readFileSync(file, 'utf8'), context));
  const pairs = entries.map(({ message = '', translation = '' }) => [message, translation] as const);
  return new Map(pairs.filter(([english, words]) => english !== words));
}

/** Runs in the page: what it shows and says, without what is a name or in a language of its own. */
function said(): string[] {
  const own = '[translate=no], option, script, style, noscript';
  const texts = [...document.querySelectorAll('body, body *')].flatMap((element) => {
    if (element.closest(own)) return [];
    const words = [...element.childNodes].filter((node) => node instanceof Text).map(({ data }) => data);
    const names = ['aria-label', 'title', 'alt', 'placeholder'].map((name) => element.getAttribute(name) ?? '');
    return [...words, ...names];
  });
  return texts.map((text) => text.trim()).filter(Boolean);
}

/** Runs in the page: what is wider than its place, though it is not meant to be clipped. */
function cutOff(): string[] {
  const parts = [...document.querySelectorAll<HTMLElement>('body *')].filter((part) => {
    if (part.closest('.visually-hidden, .clipped, svg, [hidden]') || !part.checkVisibility()) return false;
    const { overflowX, display } = getComputedStyle(part);
    return (
      display !== 'inline' && overflowX !== 'auto' && part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1
    );
  });
  return parts.map((part) => `${part.tagName}.${part.className}: ${part.textContent?.slice(0, 40)}`);
}

/** Plays to the end, on whichever squares are free. */
async function playOn(page: Page): Promise<void> {
  const free = page.locator('[role=gridcell][aria-disabled=false]').first();
  const over = page.locator('.result, .trial-status b');
  for (;;) {
    await free.or(over).first().waitFor();
    if (await over.isVisible()) return;
    await free.click({ timeout: 2_000 }).catch(() => undefined);
  }
}

/** Goes through the screens of a player, one after the other. */
async function tour(options: BrowserContextOptions, see: (page: Page, screen: string) => Promise<void>): Promise<Page> {
  const login = await site.open(options);
  await login.locator('.login-providers').waitFor();
  await see(login, 'login');
  await login.locator('.trial-picture').click();
  await playOn(login);
  await see(login, 'trial');
  await login.context().close();
  const visitor = await aSignedInVisitor(site.server, { name: 'Ada Lovelace' });
  const page = await site.open({ ...options, as: visitor });
  await page.locator('.today-said').getByText(/\d/).first().waitFor();
  await see(page, 'game');
  await playOn(page);
  await page.locator('.history-game').waitFor();
  await see(page, 'played');
  const openers = {
    account: '.player button',
    leaderboard: 'header .button >> nth=0',
    challenge: '.today .button',
    replay: '.history-game',
  };
  for (const [name, opener] of Object.entries(openers)) {
    await page.locator(opener).first().click();
    await page.locator('dialog .button').first().waitFor();
    await eventually(() => page.locator('dialog .skeleton, dialog [role=status][aria-label]').count(), 0);
    await see(page, name);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  await page.keyboard.press('?');
  await page.locator('dialog').waitFor();
  await see(page, 'shortcuts');
  return page;
}

const SIZES = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

async function expectNothingCut(page: Page, screen: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await eventually(async () => ({ screen, size, cut: await page.evaluate(cutOff) }), { screen, size, cut: [] });
  }
  await page.setViewportSize(SIZES[0]!);
}

test.each(LANGUAGES)(
  'in %s, each screen is translated, without a violation of axe, and nothing is cut',
  async (language) => {
    const sentences = await sentencesOf(language);
    const words = new Set(sentences.values());
    await tour({ locale: language, viewport: SIZES[0] }, async (page, screen) => {
      const texts = (await page.evaluate(said)).filter((text) => text.length > 1);
      const english = texts.filter((text) => sentences.has(text) && !words.has(text));
      expect({ screen, english }).toEqual({ screen, english: [] });
      await expectNothingCut(page, screen);
      if (process.env.PICTURES)
        for (const size of SIZES) {
          await page.setViewportSize(size);
          await page.screenshot({ path: `${process.env.PICTURES}/${language}-${screen}-${size.width}.png` });
        }
      if (!process.env.QUICK) await expectNoViolations(page);
    });
  },
);

test.each(LANGUAGES)('in %s, text of twice the size is not cut', async (language) => {
  const browser = await launchWithTextSize(32);
  const visitor = await aSignedInVisitor(site.server);
  for (const viewport of [SIZES[0], SIZES[2]]) {
    const login = await site.open({ browser, locale: language, viewport });
    await login.locator('.login-providers').waitFor();
    const page = await site.open({ browser, locale: language, viewport, as: visitor });
    await page.locator('.today-said').getByText(/\d/).first().waitFor();
    for (const shown of [login, page])
      expect({ viewport, cut: await shown.evaluate(cutOff) }).toEqual({ viewport, cut: [] });
  }
  await browser.close();
});

/** A file of a language with longer words, none of which is of any language: what is still readable has no translation. */
const pseudo = (file: string): string =>
  file.replace(/(?<=[[,])"((?:[^"\\]|\\.)*)"/g, (text, words: string) => {
    const isName = /^(\w+|plural|select|selectordinal)$/.test(words) && !/[A-Z]/.test(words);
    return isName ? text : `"${words.replace(/(?<!\\)[a-zA-Z]/g, 'ẽ').replace(/ẽ(?=[^ẽ]*$)/, 'ẽẽẽ')}"`;
  });

test('in a language of longer words, no text is left out, and nothing is cut on a small phone', async () => {
  const prepare = (page: Page) =>
    page.route('**/assets/locales/de-*.js', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: pseudo(await response.text()) });
    });
  const visitor = await aSignedInVisitor(site.server);
  const login = await site.open({ locale: 'de', viewport: SIZES[0], prepare });
  await login.locator('.login-providers').waitFor();
  const page = await site.open({ locale: 'de', viewport: SIZES[0], as: visitor, prepare });
  await page.locator('.today-said').getByText(/\d/).first().waitFor();
  for (const shown of [login, page]) {
    expect((await shown.evaluate(said)).filter((text) => /[a-z]{3}/i.test(text.replace('Player', '')))).toEqual([]);
    expect(await shown.evaluate(cutOff)).toEqual([]);
  }
});

/** Notes each visible text of the page, with the language and direction of its time. */
function record(): void {
  const seen = new Set<string>();
  Object.assign(window, { seen });
  const note = ({ target }: { target: Node }) => {
    const parts =
      target instanceof Element
        ? [target, ...target.querySelectorAll('*')]
        : [target.parentElement].filter((part) => part !== null);
    for (const part of parts)
      for (const node of part.childNodes)
        if (node instanceof Text && part.checkVisibility({ visibilityProperty: true }) && document.body?.contains(part))
          seen.add(`${document.documentElement.lang} ${document.dir} ${node.data.trim()}`);
  };
  new MutationObserver((changes) => changes.forEach(note)).observe(document, { subtree: true, childList: true });
}

test('the language of the browser is there before the first text, and its file before the page asks for it', async () => {
  const requests: string[] = [];
  const prepare = async (page: Page) => {
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.addInitScript(record);
  };
  const page = await site.open({ locale: 'ar-EG', prepare });
  await page.locator('.login-providers').waitFor();
  const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
  expect(seen.filter((text) => !text.startsWith('ar rtl '))).toEqual([]);
  const sentences = await sentencesOf('ar');
  expect(seen.filter((text) => sentences.has(text.slice('ar rtl '.length)))).toEqual([]);
  expect(seen.length).toBeGreaterThan(5);
  expect(await page.title()).toBe('إكس أو');
  const at = (pattern: RegExp) => requests.findIndex((path) => pattern.test(path));
  expect(requests.filter((path) => path.startsWith('/assets/locales/'))).toHaveLength(1);
  expect(at(/locales/) - at(/index-/)).toBeLessThanOrEqual(1);
});

test('a chosen language lasts, and the game on the board goes on in it', async () => {
  const { page } = await site.openGame();
  await page.locator('[data-square="4"]').click();
  await page.locator('.mark-O').waitFor();
  const board = await page
    .locator('.square')
    .evaluateAll((squares) => squares.map((square) => square.innerHTML.length > 0));
  await page.getByRole('button', { name: ', open account' }).click();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
  await page.getByText('Du bist dran (X)').first().waitFor();
  const marks = () =>
    page.locator('.square').evaluateAll((squares) => squares.map((square) => square.innerHTML.length > 0));
  expect(await marks()).toEqual(board);
  await page.reload();
  await page.getByText('Du bist dran (X)').first().waitFor();
  await page.getByRole('button', { name: 'Konto öffnen' }).click();
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
  await page.getByText('Your turn (X)').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en-GB');
});

test('from right to left, the page is mirrored and the board is not; arrow keys and signs follow what is seen', async () => {
  const visitor = await aSignedInVisitor(site.server);
  const page = await site.open({ locale: 'ar', as: visitor, viewport: SIZES[2] });
  const square = (at: number) => page.locator(`[data-square="${at}"]`);
  const left = async (part: ReturnType<typeof square>) => (await part.boundingBox())!.x;
  await square(4).waitFor();
  expect(await left(page.locator('.player'))).toBeGreaterThan(await left(page.locator('header .button').last()));
  expect(await left(square(3))).toBeLessThan(await left(square(5)));
  await square(4).focus();
  await page.keyboard.press('ArrowLeft');
  expect(await square(3).evaluate((element) => element === document.activeElement)).toBe(true);
  await playOn(page);
  const line = page.locator('.winning-line path');
  if (await line.isVisible()) {
    const [from, to] = await page
      .locator('[data-won=true]')
      .evaluateAll((won) => [won[0]!, won[2]!].map((one) => one.getBoundingClientRect().x));
    const drawn = (await line.getAttribute('d'))!.match(/[\d.-]+/g)!.map(Number);
    expect(Math.sign(drawn[2]! - drawn[0]!)).toBe(Math.sign(to! - from!));
  }
  const points = page.locator('.history-points > span').first();
  await points.waitFor();
  for (const signed of [points, page.locator('.how dd').nth(1)]) {
    const [sign, digit] = await signed.evaluate((element) => {
      const text = element.firstChild as Text;
      const at = text.data.search(/[+−]/);
      const place = (from: number) => {
        const range = document.createRange();
        range.setStart(text, from);
        range.setEnd(text, from + 1);
        return range.getBoundingClientRect().x;
      };
      return at < 0 ? [0, 1] : [place(at), place(at + 1)];
    });
    expect(sign).toBeLessThan(digit);
  }
  await page.locator('header .button').first().click();
  await page.getByRole('tab').first().focus();
  await page.keyboard.press('ArrowLeft');
  expect(await page.getByRole('tab').last().getAttribute('aria-selected')).toBe('true');
});

test('where the file of a language cannot be loaded, the page is English and says nothing about it', async () => {
  const prepare = (page: Page) => page.route('**/assets/locales/*', (route) => route.abort());
  site.expectProblem(/ERR_FAILED/);
  const page = await site.open({ locale: 'ar', prepare });
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  expect(await page.evaluate(() => [document.documentElement.lang, document.dir])).toEqual(['en-GB', 'ltr']);
});

test('after one visit, the page opens without a network in its language, and no other one is kept', async () => {
  const visitor = await aSignedInVisitor(site.server);
  const page = await site.open({ locale: 'de', as: visitor, serviceWorkers: 'allow' });
  await page.locator('[role=grid]').waitFor();
  const kept = () =>
    page.evaluate(async () =>
      (await (await caches.open('language')).keys()).map(({ url }) => /(\w+)-[\w-]+\.js$/.exec(url)?.[1]),
    );
  await eventually(kept, ['de']);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  site.expectProblem(/ERR_INTERNET_DISCONNECTED/, /^Failed to load stats/);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText('Du bist dran (X)').first().waitFor();
});
