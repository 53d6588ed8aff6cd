import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { decided, type SignedIn, signInModerators } from '../support/moderation.js';
import { aSite, cut, eventually, fillInProvider, hold, isOperation, type OpenOptions } from '../support/page.js';
import { playGame } from '../support/play.js';
import { ADA, query, removeData } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';
import { expectFits } from './inView.js';

// Every test checks that the page breaks no security policy, reports no error and sends no request to another origin.
const site = aSite();
const MINUTE = 60_000;

let ada: SignedIn;
let grace: SignedIn;
let mallory: SignedIn;
beforeEach(async () => {
  await site.server.resetClock();
  await removeData(site.server);
  [ada, grace] = await signInModerators(site.server);
  mallory = await aSignedInVisitor(site.server, { name: 'Mallory', email: 'mallory@example.org' });
});

/** @param search what follows the path of the page */
async function open(search = '', options: OpenOptions = {}): Promise<Page> {
  const page = await site.open({ ...options, as: ada, path: `/moderation${search}` });
  await page.getByRole('navigation').waitFor();
  return page;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const dialog = (page: Page) => page.getByRole('dialog');
const status = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const linesOf = (page: Page, title: string) =>
  page.getByRole('region', { name: title, exact: true }).getByRole('listitem').allInnerTexts();

/** Opens the dialog of a decision, types the reason, and sends it. */
async function decide(page: Page, name: string | RegExp, reason?: string): Promise<void> {
  await press(page, name);
  if (reason !== undefined) await dialog(page).getByLabel('Reason').fill(reason);
  await send(page);
  await dialog(page).waitFor({ state: 'detached' });
}
const send = (page: Page) => dialog(page).locator('[type=submit]').click();

test('a moderator finds a cheat, bans with an end, voids, renames, hides and signs out, sees each state in lists and audit, and undoes it', async () => {
  await playGame(site.server, mallory, { result: 'win' });
  const bob = await aSignedInVisitor(site.server, { name: 'Bob' });
  const page = await open('', { timezoneId: 'Asia/Kolkata' });
  await page.getByLabel('Name, email address or id').fill('mallory@example.org');
  await press(page, 'Search');
  await eventually<unknown>(
    () => linesOf(page, 'Players'),
    [expect.stringMatching(/^Mallory\s+Score\s+1\s+Games\s+1\s+Win rate/)],
  );
  await follow(page, 'Mallory');
  await page.getByText('1 browser, 0 personal tokens').waitFor();

  // Voids.
  await press(page, /^Void: Win · Easy · \+1 · .*:\d\d$/);
  await dialog(page)
    .getByText(/^Mallory · Win · Easy · \+1 · .*, \d\d:\d\d:\d\d$/)
    .waitFor();
  await dialog(page).getByLabel('Reason').fill('Not by hand');
  await send(page);
  await status(page, "The game is void. Mallory's score went from 1 to 0.");
  await page.getByRole('heading', { name: 'Voided games' }).waitFor();
  await page.getByText(/Score: 1 → 0/).waitFor();
  await decide(page, /^Unvoid: Win · Easy · \+1 · /, 'Was by hand');
  await status(page, /^The game counts again/);
  await decide(page, 'Undo');
  await status(page, /^The game is void/);
  // Renames.
  await press(page, 'Rename');
  await dialog(page).getByLabel('New name').fill('Player One');
  await dialog(page).getByLabel('Reason').fill('An insult');
  await send(page);
  await status(page, 'Mallory is now called Player One.');
  await page.getByRole('heading', { name: 'Player One' }).waitFor();
  await decide(page, 'Undo');
  await status(page, /brings the provider's name back/);
  // Hides, and signs out.
  await decide(page, 'Hide', 'Under review');
  await status(page, 'Player One is no longer on the boards.');
  await follow(page, 'Hidden');
  await page.getByText('Hidden', { exact: true }).last().waitFor();
  await follow(page, 'Player One');
  await decide(page, 'Unhide', 'Reviewed');
  await status(page, 'Player One is on the boards again.');
  await decide(page, 'Sign out everywhere', 'Lost a phone');
  await status(page, 'Player One is signed out of 1 session.');
  expect(await mallory.isSignedIn()).toBe(false);
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);

  // Bans.
  await press(page, 'Ban');
  await dialog(page).getByText('signed out everywhere, cannot sign in').waitFor();
  await press(page, '7 days');
  await dialog(page).getByLabel('Reason').fill('Plays with a program');
  await send(page);
  await status(page, /^Player One is banned until .*, \d\d:\d\d GMT\+5:30/);
  await page
    .getByText(/^Banned until /)
    .first()
    .waitFor();
  await eventually<unknown>(
    async () => (await linesOf(page, 'Decisions'))[0],
    expect.stringMatching(/^Ban just now by moderator Ada \(.{8}…\)\s+Plays with a program\s+Banned: no → yes.*ntil/),
  );
  await follow(page, 'Banned');
  await page.getByRole('link', { name: 'Player One' }).waitFor();
  expect((await linesOf(page, 'Banned'))[0]).toMatch(/Banned until .*, \d\d:\d\d GMT\+5:30/);
  await page.goBack();
  await press(page, 'Change the end');
  await dialog(page).getByText('The player stays banned, until the new end.').waitFor();
  await dialog(page).getByText('End of the ban, GMT+5:30').waitFor();
  await press(page, 'Cancel');
  await decide(page, 'Unban', 'Appeal granted');
  await status(page, 'Player One may sign in again.');
  // The opposite of the last decision: the ban, with the end that it had.
  await press(page, 'Undo');
  expect(await dialog(page).getByLabel('Reason').inputValue()).toBe('Undo: Appeal granted');
  expect(await dialog(page).getByLabel('End of the ban').inputValue()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  await send(page);
  await status(page, /^Player One is banned until /);
  await decide(page, 'Undo');
  await status(page, 'Player One may sign in again.');

  // The list of decisions has those of all moderators and operators, the newest first.
  await decided(grace, 'signOutPlayer', bob.user.id, { reason: 'Lost a phone' });
  await follow(page, 'Decisions');
  await page.getByText(/by moderator Grace/).waitFor();
  const lines = (await linesOf(page, 'Decisions')).map((line) => line.replaceAll(/\s+/g, ' '));
  expect(lines.slice(0, 3)).toEqual([
    expect.stringMatching(/^Sign out .* by moderator Grace \(.* Lost a phone/),
    expect.stringMatching(/^Unban .* by moderator Ada \(.* Undo: Appeal granted/),
    expect.stringMatching(/^Ban .* by moderator Ada \(.* Undo: Appeal granted/),
  ]);
  const link = page.getByRole('region', { name: 'Decisions' }).getByRole('link', { name: bob.user.id });
  expect(await link.textContent()).toBe(bob.user.id.slice(0, 8));
  await link.click();
  await page.getByRole('heading', { name: 'Bob' }).waitFor();
});

test('a moderator signs in again for a decision, finds the player and all that was typed, and leaves no draft in the tab for others', async () => {
  await site.server.moveClock(11 * MINUTE);
  const page = await open(`?player=${mallory.user.id}`);
  const keyOf = (id: string) => `tic-tac-toe.draft.${id}.${mallory.user.id}`;
  const keep = (id: string) => page.evaluate(`sessionStorage.setItem('${keyOf(id)}', '{"action":"hide","id":""}')`);
  const drafts = () => page.evaluate<string>('Object.keys(sessionStorage).join()');
  await keep(grace.user.id);
  await press(page, 'Ban');
  await press(page, '30 days');
  const end = await dialog(page).getByLabel('End of the ban').inputValue();
  await dialog(page).getByLabel('Reason').fill('Plays with a program');
  await send(page);
  await dialog(page).getByRole('alert').getByText('Please sign in again first.').waitFor();
  await press(page, 'Sign in again');
  await fillInProvider(page, ADA);
  await dialog(page).getByRole('heading', { name: 'Ban' }).waitFor();
  expect(page.url()).toBe(`${site.origin}/moderation?player=${mallory.user.id}`);
  expect(await dialog(page).getByLabel('Reason').inputValue()).toBe('Plays with a program');
  expect(await dialog(page).getByLabel('End of the ban').inputValue()).toBe(end);
  // The draft of another moderator is gone.
  expect(await drafts()).toBe(keyOf(ada.user.id));
  const stored = await page.evaluate<string>(
    'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])',
  );
  expect(stored).toContain('Plays with a program');
  expect(stored).not.toMatch(/eyJ/);
  expect(await query(site.server, 'SELECT FROM audit')).toEqual([]);
  await send(page);
  await status(page, /^Mallory is banned until /);
  expect(await drafts()).toBe('');
  await keep(ada.user.id);
  await query(site.server, 'UPDATE sessions SET revoked_at = now() WHERE player_id = $1', [ada.user.id]);
  site.expectProblem(/401/);
  await page.reload();
  await page.getByText('You are not signed in.').waitFor();
  expect(await drafts()).toBe('');
});

test('a moderator decides with the keyboard alone, keeps what is typed when a decision fails, and reads why the server refuses', async () => {
  let lists!: { restore: () => void };
  const page = await open('', { prepare: async (page) => void (lists = await cut(page, 'ModeratedPlayers')) });
  const focus = () => page.evaluate(() => document.activeElement!.textContent);
  const tabTo = async (name: string) => {
    for (let tabs = 0; (await focus()) !== name; tabs++) {
      expect(tabs).toBeLessThan(40);
      await page.keyboard.press('Tab');
    }
  };
  await page.getByRole('alert').getByText('The server could not be reached.').waitFor();
  lists.restore();
  await tabTo('Try again');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Mallory' }).waitFor();
  await tabTo('Mallory');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Mallory' }).waitFor();
  await tabTo('Hide');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  expect(await focus()).toBe('Hide');
  const network = await cut(page, 'HidePlayer');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
  // The browser asks for the reason.
  await tabTo('Hide');
  await page.keyboard.press('Enter');
  const reason = dialog(page).getByLabel('Reason');
  expect(await reason.evaluate((field) => field.matches(':invalid:focus'))).toBe(true);
  await page.keyboard.type('Under review');
  await tabTo('Hide');
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('alert').getByText('The server could not be reached.').waitFor();
  expect(await reason.inputValue()).toBe('Under review');
  network.restore();
  const answer = await hold(page, '**/graphql', 'HidePlayer');
  let sent = 0;
  page.on('request', (request) => (sent += Number(isOperation('HidePlayer')(request))));
  await page.keyboard.press('Enter');
  await dialog(page).locator('[type=submit][aria-disabled=true]').waitFor();
  await page.keyboard.press('Enter');
  answer.open();
  await status(page, 'Mallory is no longer on the boards.');
  await dialog(page).waitFor({ state: 'detached' });
  expect(sent).toBe(1);
  // The focus is not lost: the next stop is Undo.
  await page.keyboard.press('Tab');
  expect(await focus()).toBe('Undo');
  await press(page, 'Rename');
  await dialog(page).getByLabel('New name').fill('\u200b\u200b');
  await dialog(page).getByLabel('Reason').fill('An insult');
  await send(page);
  await dialog(page).getByRole('alert').getByText('no visible character').waitFor();
  await press(page, 'Cancel');
  // About moderators, nobody decides.
  await follow(page, 'Players');
  await follow(page, 'Grace');
  await page.getByRole('heading', { name: 'Grace', exact: true }).waitFor();
  await page.getByText('Moderator', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Decisions' }).waitFor();
  expect(await page.getByRole('button').count()).toBe(0);
});

test('the lists have an order and pages in the address, and Back returns to them', async () => {
  await query(
    site.server,
    `INSERT INTO players (name, provider, created_at)
     SELECT 'Player ' || to_char(n, 'FM00'), 'google', now() FROM generate_series(0, 50) AS n`,
  );
  await playGame(site.server, mallory, { result: 'win' });
  const page = await open('?order=score');
  await page.getByRole('link', { name: 'Mallory' }).waitFor();
  expect(await linesOf(page, 'Players')).toHaveLength(1);
  await page.getByLabel('Order').selectOption('Name');
  await page.waitForURL(/order=name/);
  await page.getByRole('link', { name: 'Player 00' }).waitFor();
  expect((await linesOf(page, 'Players'))[0]).toMatch(/^Ada\s+Moderator/);
  await follow(page, 'More');
  await page.getByRole('link', { name: 'Player 50' }).waitFor();
  expect(await linesOf(page, 'Players')).toHaveLength(4);
  await follow(page, 'Player 50');
  await page.getByRole('heading', { name: 'Player 50' }).waitFor();
  await page.goBack();
  await page.reload();
  await page.getByRole('link', { name: 'Player 50' }).waitFor();
  const search = page.getByLabel('Name, email address or id');
  await search.fill('nobody');
  await search.press('Enter');
  await status(page, 'No player found.');
  expect(await page.evaluate(() => document.activeElement!.getAttribute('type'))).toBe('search');
  await follow(page, 'Banned');
  await status(page, 'Nobody is banned.');
  await page.goBack();
  await status(page, 'No player found.');
  await page.goBack();
  await page.getByRole('link', { name: 'Player 50' }).waitFor();
  expect(await search.inputValue()).toBe('');
  await page.goto(`${site.origin}/moderation?player=nobody`);
  await page.getByText('No such player.').waitFor();
});

test('the page leads a visitor to the sign-in and back to the same address, and shows other players the id that an operator must enter', async () => {
  const path = `/moderation?player=${grace.user.id}`;
  const page = await site.open({ path });
  await page.getByText('You are not signed in.').waitFor();
  await expectNoViolations(page);
  await follow(page, 'Sign in');
  await press(page, 'Continue with Google');
  await fillInProvider(page, mallory.user);
  await page.getByText('You are not a moderator.').waitFor();
  expect(page.url()).toBe(site.origin + path);
  await page.getByText('MODERATORS').waitFor();
  await page.getByText(mallory.user.id).waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  await expectNoViolations(page);
});

test('the page fits a phone with any name, and axe finds no violation', async () => {
  const [wide, arabic] = ['W'.repeat(40), 'محمد بن موسى الخوارزمي'];
  await aSignedInVisitor(site.server, { name: arabic });
  const player = await aSignedInVisitor(site.server, { name: wide });
  await playGame(site.server, player, { result: 'win' });
  const page = await open(`?player=${player.user.id}`, { viewport: { width: 320, height: 640 } });
  await decide(page, /^Void:/, `${wide} ${arabic} ${wide}`);
  await expectNoViolations(page);
  await press(page, 'Rename');
  await dialog(page).waitFor();
  await expectNoViolations(page);
  await press(page, 'Cancel');
  for (const list of ['Players', 'Decisions']) {
    await follow(page, list);
    await page.getByRole('heading', { name: list, exact: true }).waitFor();
    await expectNoViolations(page);
  }
  await page.goBack();
  await follow(page, arabic);
  await page.getByRole('heading', { name: arabic }).waitFor();
  await expectFits(page);
});
