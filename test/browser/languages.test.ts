import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dareCode } from '../../game/dare.js';
import type { Result } from '../../game/rules.js';
import { DAY, playChallenge, startChallenge } from '../support/challenge.js';
import { aSite, eventually, type OpenOptions, somebody } from '../support/page.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';
import { LANGUAGES, sentencesOf } from './sentences.js';

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

/** Ada has played the challenge of yesterday, Grace that of today too, and somebody has taken her dare. */
const [ada, grace] = [somebody('Ada Lovelace'), somebody()];
let dare: string;

beforeAll(async () => {
  const { server } = site;
  const results: readonly Result[] = ['win', 'draw', 'win', 'lose', 'draw'];
  const [yesterday, today] = [-DAY, 0].map((by) => new Date(Date.now() + by).toISOString().slice(0, 10));
  const [resting, daring] = [await aSignedInVisitor(server, ada), await aSignedInVisitor(server, grace)];
  await server.moveClock(-DAY);
  for (const player of [resting, daring]) await playChallenge(player, yesterday!, results);
  await server.resetClock();
  await playChallenge(daring, today!, results);
  dare = `/d/${dareCode({ playerId: daring.user.id, day: today! })}`;
  const taker = await aSignedInVisitor(server, { name: 'Alan Turing' });
  await startChallenge(taker, today!, 1, daring.user.id);
  await playChallenge(taker, today!, results);
});

const loaded = (page: Page) =>
  eventually(() => page.locator('dialog :is(.skeleton, [role=status][aria-label])').count(), 0);

/** Goes through the screens of a player, one after the other. */
async function tour(options: OpenOptions, see: (page: Page, screen: string) => Promise<void>): Promise<Page> {
  const login = await site.open({ ...options, path: '/auth/callback?error=too_many_sign_ins' });
  await login.locator('.login-notice').getByText(/\S/).waitFor();
  await see(login, 'login');
  await login.goto(site.origin + dare);
  await login.locator('.login-dare bdi').waitFor();
  await see(login, 'dare');
  await login.locator('.trial-picture').click();
  await playOn(login);
  await see(login, 'trial');
  await login.close();
  const other = await site.open({ ...options, as: await aSignedInVisitor(site.server, grace), path: dare });
  await other.locator('.share').waitFor();
  await see(other, 'result');
  await other.keyboard.press('Escape');
  await other.locator('dialog').waitFor({ state: 'detached' });
  await other.locator('.today-takers').waitFor();
  await see(other, 'taken');
  await other.close();
  const page = await site.open({ ...options, as: await aSignedInVisitor(site.server, ada) });
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
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  await page.locator('[popovertarget]').click();
  await see(page, 'menu');
  await page.keyboard.press('Escape');
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

/** The language whose sentences are the longest of all languages instead. */
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

test('each screen is translated and fits a small phone, and with the longest words or text of twice the size any screen', async () => {
  const all = await Promise.all(
    // Those of other letters, then those of the longest words. The build fails where a language lacks a sentence.
    ['ja', 'ar', 'de', 'fr', LONGEST].map(async (language) => [language, await sentencesOf(language)] as const),
  );
  await tour({ viewport: SIZES[0], prepare: speakLongest }, async (page, screen) => {
    const enlarge = (size: string) => page.evaluate((size) => (document.documentElement.style.fontSize = size), size);
    for (const [language, sentences] of all) {
      await speak(page, language);
      const words = new Set(sentences.values());
      const texts = (await page.evaluate(said)).filter((text) => text.length > 1);
      const english = texts.filter((text) => sentences.has(text) && !words.has(text));
      expect({ language, screen, english }).toEqual({ language, screen, english: [] });
      const isLong = language === 'de' || language === 'fr';
      await enlarge(isLong ? '200%' : '');
      for (const size of isLong || language === LONGEST ? SIZES : SIZES.slice(0, 1))
        await expectNothingCut(page, `${screen} ${language}`, size);
      // Of what the others have, its mirrored screens may break a rule. The contrast does not depend on the language.
      if (language === 'ar') await expectNoViolations(page, { contrast: false });
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

test('before its code arrives, the page has its words in the language of the browser', async () => {
  const prepare = async (page: Page) => {
    await page.addInitScript(record);
    await page.route('**/assets/index-*.js', (route) => route.abort());
  };
  site.expectProblem(/ERR_FAILED/);
  const page = await site.open({ locale: 'ar', prepare });
  await page.getByText('تحدَّ الذكاء الاصطناعي واصعد لوحة الصدارة!').waitFor();
  const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
  expect(seen.filter((text) => /[a-z]{3}/i.test(text.replace('ar rtl', '')))).toEqual([]);
  expect(await page.evaluate(said)).toHaveLength(4);
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
  const line = page.locator('.winning-line path');
  await playOn(page);
  while (!(await line.isVisible())) {
    await page.getByRole('button', { name: 'لعبة جديدة' }).click();
    await playOn(page);
  }
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

test('where the file of a language cannot be loaded, the page is English and says nothing about it', async () => {
  const prepare = (page: Page) => page.route('**/assets/locales/*', (route) => route.abort());
  site.expectProblem(/ERR_FAILED/);
  const page = await site.open({ locale: 'ar', prepare });
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  expect(await page.evaluate(() => [document.documentElement.lang, document.dir])).toEqual(['en-GB', 'ltr']);
});

// The clocks of Berlin change in the nights to 29 March and 25 October.
const AGO: [now: string, at: string, count: number, unit: 'hour' | 'day' | null][] = [
  ['2026-03-20T12:00+01:00', '2026-03-18T20:00+01:00', 2, 'day'],
  ['2026-03-20T12:00+01:00', '2026-03-14T20:00+01:00', 6, 'day'],
  ['2026-03-20T12:00+01:00', '2026-03-13T20:00+01:00', 7, null],
  ['2026-03-30T00:30+02:00', '2026-03-28T23:30+01:00', 2, 'day'],
  ['2026-03-30T23:30+02:00', '2026-03-29T00:30+01:00', 1, 'day'],
  ['2026-10-25T23:50+01:00', '2026-10-25T00:10+02:00', 24, 'hour'],
  ['2026-10-26T00:10+01:00', '2026-10-24T23:50+02:00', 2, 'day'],
];
test('how long ago something was follows the calendar of the reader, in each language', async () => {
  const prepare = (page: Page) => page.clock.install();
  const { page } = await site.openGame({ timezoneId: 'Europe/Berlin', prepare });
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.includes('.stats.')));
  await page.route('**/{auth/refresh,graphql}', (route) => route.abort('connectionfailed'));
  const spoken = new Set<(typeof AGO)[number][3]>();
  for (const [now, at, count, unit] of AGO) {
    await page.clock.setSystemTime(now);
    await page.evaluate((at) => {
      const key = Object.keys(localStorage).find((name) => name.includes('.stats.'))!;
      localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)!), at }));
    }, Date.parse(at));
    await page.reload();
    const said = page.getByRole('region').locator('time');
    await said.waitFor();
    for (const language of spoken.has(unit) ? ['en-GB'] : [...LANGUAGES, 'en-GB']) {
      await speak(page, language);
      const words = await page.evaluate(
        ([locale, time, count, unit]) =>
          unit
            ? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-count, unit)
            : new Date(time).toLocaleDateString(locale, { dateStyle: 'medium' }),
        [language === 'ar' ? 'ar-u-nu-latn' : language, at, count, unit] as const,
      );
      await eventually(async () => [now, language, await said.textContent()], [now, language, words]);
    }
    spoken.add(unit);
  }
});
