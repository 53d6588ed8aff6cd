import { expect, test } from '@jest/globals';
import { aSite, eventually, hold } from '../support/page.js';
import { playGame } from '../support/play.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { LANGUAGES, speakerOf } from './sentences.js';

const site = aSite({ env: { GAMES_PER_DAY: '1' } });

const SQUARES = ['top left', 'top centre', 'top right', 'middle left', 'centre', 'middle right'];
SQUARES.push('bottom left', 'bottom centre', 'bottom right');
const NAME = 'Ada \\u202e L.';
const LIMIT = "That's {games, plural, one {# game} other {# games}} today. Points are back at {time}.";

/** Runs in a page: what a change of the language must leave as it is. */
function kept() {
  const { activeElement } = document;
  return {
    isFirstLoad: 'isFirstLoad' in window,
    board: [...document.querySelectorAll('.square')].map((square) => square.querySelector('.mark')?.classList[1]),
    focus: activeElement?.getAttribute('data-square') ?? activeElement?.className,
    typed: document.querySelector<HTMLInputElement>('input.field')?.value,
    dialogs: document.querySelectorAll('dialog[open]').length,
    // The words of a language can make the content of a dialog shorter.
    scrolled: [scrollY, (document.querySelector('.dialog-body')?.scrollTop ?? 0) > 0],
  };
}

test('each language is there at once, in a running game over the limit of the day and in a dialog of another tab, and nothing that was typed is lost', async () => {
  const visitor = await aSignedInVisitor(site.server);
  await playGame(site.server, visitor, { result: 'win' });
  const { page: game } = await site.openGame({ as: visitor, viewport: { width: 320, height: 568 } });
  const account = await game.context().newPage();
  await account.goto(site.origin);
  for (const tab of [game, account]) {
    await tab.locator('[data-square="4"]').click();
    await tab.locator('.mark-O').waitFor();
  }
  await account.locator('.player button').click();
  await account.locator('dialog .account-row').first().waitFor();
  const field = account.locator('dialog .field');
  await field.fill(NAME);
  await account.getByRole('button', { name: 'Save' }).click();
  const said = account.locator('dialog [data-announcer]');
  await eventually(() => said.textContent(), `Your name is ${NAME} now.`);
  await field.fill('Half a na');
  const choice = account.locator('dialog .language');
  await choice.focus();
  await game.evaluate(() => scrollTo(0, 50));
  for (const tab of [game, account]) await tab.evaluate(() => Object.assign(window, { isFirstLoad: true }));
  const before = [await game.evaluate(kept), await account.evaluate(kept)];
  const botsSquare = before[0]!.board.indexOf('mark-O');

  for (const language of [...LANGUAGES, 'en-GB']) {
    const say = await speakerOf(language);
    await choice.selectOption(language);
    for (const tab of [game, account]) {
      await tab.locator(`html[lang=${language}][dir=${language === 'ar' ? 'rtl' : 'ltr'}]`).waitFor();
      expect(await tab.title()).toBe(say('Tic-Tac-Toe'));
    }
    const turn = say('Your turn (X)');
    await eventually(() => game.locator('.status').textContent(), turn);
    // What was said before.
    const marked = say('Bot marked {square}.', { square: say(SQUARES[botsSquare]!) });
    await eventually(() => game.locator('.game [data-announcer]').textContent(), `${marked} ${turn}`);
    const [start = '', end = ''] = say(LIMIT, { games: 1, time: '|' }).split('|');
    const notice = await game.locator('.game-notice').textContent();
    expect([notice, notice?.startsWith(start), notice?.endsWith(end)]).toEqual([notice, true, true]);
    await account.getByRole('heading', { name: say('Account'), exact: true }).waitFor();
    const named = say('Your name is <0>name</0> now.').replace('<0>name</0>', () => NAME);
    await eventually(() => said.textContent(), named);
    expect([await game.evaluate(kept), await account.evaluate(kept)]).toEqual(before);
  }
});

test('a browser that names its languages "C" and "pt_BR" gets a Portuguese page with all its times', async () => {
  const visitor = await aSignedInVisitor(site.server);
  await playGame(site.server, visitor, { result: 'win' });
  const names = () => {
    Object.defineProperty(navigator, 'language', { value: 'C' });
    Object.defineProperty(navigator, 'languages', { value: ['C', 'pt_BR'], configurable: true });
  };
  const page = await site.open({ as: visitor, prepare: (page) => page.addInitScript(names) });
  await page.locator('html[lang=pt-BR] [role=grid]').waitFor();
  const say = await speakerOf('pt-BR');
  const [limit = ''] = say(LIMIT, { games: 1, time: '|' }).split('|');
  await page.locator('.game-notice').getByText(limit.trim()).waitFor();
  await page.locator('.today .button').click();
  await page.getByRole('button', { name: say('Start game {number} of {of}', { number: 1, of: 5 }) }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('header .button').first().click();
  await page.getByRole('tab').last().click();
  await page.locator('.week-bar').waitFor();

  // None that the page speaks.
  await page.addInitScript(() => Object.defineProperty(navigator, 'languages', { value: ['C', 'pl-PL'] }));
  await page.reload();
  await page.locator('html[lang=en-GB] [role=grid]').waitFor();
});

test('a trial game goes on in a chosen language; the page says so when a file does not come, and one that comes late changes nothing', async () => {
  const page = await site.open();
  await page.locator('.trial-picture .square').nth(4).click();
  await page.locator('.mark-O').waitFor();
  const board = (await page.evaluate(kept)).board;
  const choice = page.locator('.language');
  await page.route('**/assets/locales/fr-*', (route) => route.abort(), { times: 1 });
  site.expectProblem(/ERR_FAILED/);
  await choice.selectOption('Français');
  const alert = page.getByRole('alert').getByText('The language could not be loaded. Please try again.');
  await alert.waitFor();
  expect(await choice.inputValue()).toBe('en-GB');
  expect(await page.locator('html').getAttribute('lang')).toBe('en-GB');
  await choice.selectOption('Français');
  await page.getByText((await speakerOf('fr'))('Your turn (X)'), { exact: true }).waitFor();
  expect((await page.evaluate(kept)).board).toEqual(board);

  // A later choice wins, in this visit and the next.
  const german = await hold(page, '**/assets/locales/de-*');
  const arrived = page.waitForResponse('**/assets/locales/de-*');
  await choice.selectOption('Deutsch');
  expect(await choice.inputValue()).toBe('de');
  await choice.selectOption('Español');
  await page.locator('html[lang=es]').waitFor();
  german.open();
  await (await arrived).finished();
  // The module of the file has run when an import of it has ended.
  await page.evaluate((file) => import(file), (await arrived).url());
  expect(await page.locator('html').getAttribute('lang')).toBe('es');
  await page.reload();
  await page.locator('html[lang=es] .login-providers').waitFor();
});
