import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dareCode } from '../../game/dare.js';
import type { Result } from '../../game/rules.js';
import { DAY, playChallenge, startChallenge } from '../support/challenge.js';
import { aSite, eventually, hold, somebody } from '../support/page.js';
import { sitDown } from '../support/table.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { violationsOf } from './axe.js';
import { sentencesOf } from './sentences.js';

const site = aSite();
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

/** Runs in the page: what is wider than its place, and each text that leaves its box, though it is not meant to be clipped. */
function cutOff(): string[] {
  const CLIPPED = '.visually-hidden, .clipped, svg, input, [hidden]';
  const parts = [...document.querySelectorAll<HTMLElement>('body *')].filter((part) => {
    if (part.closest(CLIPPED) || !part.checkVisibility()) return false;
    const { display, clipPath } = getComputedStyle(part);
    return display !== 'inline' && clipPath === 'none' && part.scrollWidth > part.clientWidth + 1;
  });
  const leavesBox = (text: Text): boolean => {
    const range = document.createRange();
    range.selectNode(text);
    const { left, top, right, bottom } = range.getBoundingClientRect();
    for (let box = text.parentElement; box; box = box.parentElement) {
      const { overflowY, clipPath } = getComputedStyle(box);
      if (overflowY === 'auto' || overflowY === 'scroll' || clipPath !== 'none') return false;
      if (overflowY === 'visible' && !box.matches('.card, .tile, .button, dialog')) continue;
      const place = box.getBoundingClientRect();
      if (left < place.left - 1 || top < place.top - 1 || right > place.right + 1 || bottom > place.bottom + 1)
        return true;
    }
    return false;
  };
  const leaving = [...document.querySelectorAll('body *')].filter(
    (part) =>
      !part.closest(`${CLIPPED}, option, script, style, noscript`) &&
      part.checkVisibility() &&
      [...part.childNodes].some((node) => node instanceof Text && node.data.trim() && leavesBox(node)),
  );
  return [...parts, ...leaving].map((part) => `${part.tagName}.${part.className}: ${part.textContent?.slice(0, 40)}`);
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

const loaded = (page: Page) =>
  eventually(() => page.locator('dialog :is(.skeleton, [role=status][aria-label])').count(), 0);

/** Goes through the screens of a player and then of a visitor, one after the other. */
async function tour(see: (page: Page, screen: string) => Promise<void>): Promise<void> {
  const { server } = site;
  const ada = somebody('Ada Lovelace');
  const player = await aSignedInVisitor(server, ada);
  const results: readonly Result[] = ['win', 'draw', 'win', 'lose', 'draw'];
  const [yesterday, today] = [-DAY, 0].map((by) => new Date(Date.now() + by).toISOString().slice(0, 10));
  await server.moveClock(-DAY);
  await playChallenge(player, yesterday!, results);
  await server.resetClock();
  const as = await aSignedInVisitor(server, ada);
  const page = await site.open({ as, viewport: SIZES[0], prepare: speakLongest });
  const close = async () => {
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  };
  await page.locator('.today-said').filter({ hasText: /\d/ }).waitFor();
  await page.locator('.history-game').first().waitFor();
  await see(page, 'game');
  await playOn(page);
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
    await loaded(page);
    await see(page, name);
    if (name === 'leaderboard') {
      await page.getByRole('tab').last().click();
      await page.locator('.week-bar').waitFor();
      await loaded(page);
      await see(page, 'week');
    }
    await close();
  }
  await page.locator('[popovertarget]').click();
  await see(page, 'menu');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.locator('dialog').waitFor();
  await see(page, 'shortcuts');

  // She plays the challenge of today, and somebody takes her dare.
  await playChallenge(player, today!, results);
  const taker = await aSignedInVisitor(server, { name: 'Alan Turing' });
  await startChallenge(taker, today!, 1, player.user.id);
  await playChallenge(taker, today!, results);
  const dare = `${site.origin}/d/${dareCode({ playerId: player.user.id, day: today! })}`;
  await page.goto(dare);
  await page.locator('.share').waitFor();
  await see(page, 'result');
  await close();
  await page.locator('.today-takers').waitFor();
  await see(page, 'taken');

  await page.context().clearCookies();
  await page.goto(`${site.origin}/auth/callback?error=too_many_sign_ins`);
  await page.locator('.login-notice').getByText(/\S/).waitFor();
  await see(page, 'login');
  await page.goto(dare);
  await page.locator('.login-dare bdi').waitFor();
  await see(page, 'dare');
  await page.locator('.trial-picture').click();
  await playOn(page);
  await see(page, 'trial');
}

const SIZES = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

async function expectNothingCut(page: Page, screen: string, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await eventually(async () => ({ screen, size, cut: await page.evaluate(cutOff) }), { screen, size, cut: [] });
}

/** The page follows a choice in another tab, and keeps what is on the screen. */
async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate((newValue) => {
    localStorage.setItem('tic-tac-toe.language', newValue);
    dispatchEvent(new StorageEvent('storage', { key: 'tic-tac-toe.language', newValue }));
  }, language);
  await page.locator(`html[lang=${language}]`).waitFor();
}

const FILES = 'dist/client/assets/locales';

/** The page asks for this language and gets the longest sentences of the four with Latin letters. */
const LONGEST = 'es';
/** A provider has its own name. The browser has the month, and how long ago a game was. */
const OTHERS = /Ada Lovelace|Google|GitHub|hace \d+ \p{L}+|\d+ \p{L}+\.?$/u;

/** As Lingui compiles a sentence. */
type Sentence = (string | [name: string, kind?: string, forms?: Record<string, Sentence>])[];

/** Narrow letters and others, none of which is of any language: what is still readable has no translation. */
const unreadable = (sentence: Sentence): Sentence =>
  sentence.map((part) => {
    if (typeof part === 'string') return part.replace(/\p{L}/gu, (letter) => (/[fijlrt]/i.test(letter) ? 'ĩ' : 'ẽ'));
    const [name, kind, forms] = part;
    if (!forms) return part;
    return [name, kind, Object.fromEntries(Object.entries(forms).map(([form, said]) => [form, unreadable(said)]))];
  });

/** A file of a language with each sentence in the language that needs most letters for it. */
function longestWords(): string {
  const lists = readdirSync(FILES)
    .filter((file) => /^(de|es|fr|pt-BR)-.*\.js$/.test(file))
    .map((file) => /JSON\.parse\(`(.*)`\)/s.exec(readFileSync(`${FILES}/${file}`, 'utf8'))![1]!)
    .map((text) => JSON.parse(text.replace(/\\([`$\\])/g, '$1')) as Sentence[]);
  const lengthOf = (sentence: Sentence) => JSON.stringify(sentence).length;
  const longest = lists[0]!.map((_, at) =>
    lists.map((list) => list[at]!).reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one)),
  );
  return `export const messages = ${JSON.stringify(longest.map(unreadable))};`;
}

const speakLongest = async (page: Page) => {
  const body = longestWords();
  await page.route(`**/assets/locales/${LONGEST}-*.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  );
};

/** Those that longer names or a mirrored screen may break. */
const RULES = [
  'html-has-lang',
  'html-lang-valid',
  'label-content-name-mismatch',
  'landmark-unique',
  'scrollable-region-focusable',
  'target-size',
  'valid-lang',
];

test('each screen is translated and fits a small phone; with the longest words, or text of twice the size, it also fits a phone and a computer', async () => {
  const languages = await Promise.all(
    // Two of other letters, one of long words, and the longest. The build fails where a language lacks a sentence.
    ['ja', 'ar', 'de', LONGEST].map(async (language) => [language, await sentencesOf(language)] as const),
  );
  await tour(async (page, screen) => {
    const enlarge = (size: string) => page.evaluate((size) => (document.documentElement.style.fontSize = size), size);
    for (const [language, sentences] of languages) {
      await speak(page, language);
      const words = new Set(sentences.values());
      const texts = (await page.evaluate(said)).filter((text) => text.length > 1);
      const english = texts.filter((text) => sentences.has(text) && !words.has(text));
      expect({ language, screen, english }).toEqual({ language, screen, english: [] });
      await enlarge(language === 'de' ? '200%' : '');
      for (const size of language === 'de' || language === LONGEST ? SIZES : SIZES.slice(0, 1))
        await expectNothingCut(page, `${screen} ${language}`, size);
      if (language === 'ar') {
        // Its digits are those of the page.
        expect({ screen, digits: texts.filter((text) => /[٠-٩]/.test(text)) }).toEqual({ screen, digits: [] });
        const violations = await violationsOf(page, { only: RULES });
        expect({ screen, violations }).toEqual({ screen, violations: [] });
      }
      if (language !== LONGEST || (screen !== 'login' && screen !== 'game')) continue;
      const left = texts.map((text) => text.replace(OTHERS, '')).filter((text) => /[a-z]{3}/i.test(text));
      expect({ screen, left }).toEqual({ screen, left: [] });
      await enlarge('200%');
      for (const size of SIZES) await expectNothingCut(page, `${screen} of twice the size`, size);
      await enlarge('');
    }
    await page.setViewportSize(SIZES[0]!);
  });
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

test('the language of the browser is there before the first text, which needs no code, and its file before the page asks for it', async () => {
  const page = await (await site.newContext({ locale: 'ar-EG' })).newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.addInitScript(record);
  const code = await hold(page, '**/assets/index-*.js');
  await page.goto(site.origin, { waitUntil: 'commit' });
  await page.getByText('تحدَّ الذكاء الاصطناعي واصعد لوحة الصدارة!').waitFor();
  const first = await page.evaluate(said);
  expect(first).toHaveLength(4);
  expect(first.filter((text) => /[a-z]{3}/i.test(text))).toEqual([]);
  code.open();
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

  // Without the file, the page is English and says nothing about it.
  await page.route('**/assets/locales/*', (route) => route.abort());
  site.expectProblem(/ERR_FAILED/);
  await page.reload();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  expect(await page.evaluate(() => [document.documentElement.lang, document.dir])).toEqual(['en-GB', 'ltr']);
});

test('from right to left, the page is mirrored and the board is not; arrow keys and signs follow what is seen', async () => {
  const { page, table } = await sitDown(site, { viewport: SIZES[2] });
  await table.choose('easy');
  await table.play('win');
  await speak(page, 'ar');
  const square = (at: number) => page.locator(`[data-square="${at}"]`);
  const left = async (part: ReturnType<typeof square>) => (await part.boundingBox())!.x;
  expect(await left(page.locator('.player'))).toBeGreaterThan(await left(page.locator('header .button').last()));
  expect(await left(square(3))).toBeLessThan(await left(square(5)));
  await square(4).focus();
  await page.keyboard.press('ArrowLeft');
  expect(await square(3).evaluate((element) => element === document.activeElement)).toBe(true);
  const line = page.locator('.winning-line path');
  const start = await line.evaluate((path: SVGPathElement) => {
    const { x, y } = path.getPointAtLength(0).matrixTransform(path.getScreenCTM()!);
    return document
      .elementsFromPoint(x, y)
      .find((part) => part.matches('.square'))
      ?.getAttribute('data-square');
  });
  expect(start).toBe(await page.locator('[data-won=true]').first().getAttribute('data-square'));
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
