import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dareCode } from '../../game/dare.js';
import type { Result } from '../../game/rules.js';
import { challengeOf, DAY, playChallenge, waitAs } from '../support/challenge.js';
import { aSite, cut, goToProvider, playTrial, signInAs, somebody } from '../support/page.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';
import { Device, lettersIn } from './device.js';

const site = aSite();
/** The seeds of this day are known, so its games can end as the test wants. */
const now = Date.parse('2032-02-09T12:00:00Z');
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const day = dayOf(now);
const prepare = (page: Page) => page.clock.install({ time: now });
const nobody = 'There is no dare behind this link.';
const RESULTS = ['win', 'win', 'draw', 'win', 'lose'] as const;
const linkTo = (playerId: string, on = day) => `/d/${dareCode({ playerId, day: on })}`;

beforeEach(async () => {
  await site.server.resetClock();
  await site.server.moveClock(now - Date.now());
});

/** Plays the five games of a day that is over, up to the result. */
async function practise(page: Page, day: string, results: readonly Result[]): Promise<Device> {
  const device = Object.assign(new Device(page), { dialog: page.getByRole('dialog', { name: 'Practice: 9 Feb' }) });
  for (const [at, result] of results.entries()) {
    await device.playGame(at + 1, result, day);
    await device.dialog.getByRole('button', { name: /^(Next|See)/ }).click();
  }
  await device.dialog.getByText('No points, no place').waitFor();
  return device;
}

test('a duel goes from the shared text over the sign-in and the five games to the winner', async () => {
  const person = { name: 'Nora', email: 'nora-who-dares@example.org' };
  const nora = await aSignedInVisitor(site.server, person);
  await playChallenge(nora, day, RESULTS);
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page } = await site.openGame({ as: nora, path: linkTo(nora.user.id), prepare, permissions });
  const hers = new Device(page);
  await hers.dialog.getByText('This is your own link. Send it to somebody.').waitFor();
  await hers.button('Dare somebody').click();
  await hers.dialog.getByText('Copied: paste it wherever you like.').waitFor();
  const text = await page.evaluate<string>('navigator.clipboard.readText()');
  const [, link] = /^Tic-Tac-Toe, 9 Feb: 🟦🟦⬜🟦🟧 in \d+ moves\. Beat me: (http\S+)$/u.exec(text)!;
  expect(link).toBe(site.origin + linkTo(nora.user.id));

  const guest = await site.open({ path: link!.slice(site.origin.length), prepare });
  const dare = guest.getByRole('status').filter({ hasText: 'Nora won 3 of 5 today. Can you beat that?' });
  expect(await lettersIn(dare)).toBe('WWDWL');
  await expectNoViolations(guest, { inView: [dare, guest.getByRole('button', { name: 'Continue with GitHub' })] });
  await playTrial(guest, 'Sign in and play the same five');
  // A sign-in that ends in an error returns to the duel, too.
  await goToProvider(guest, 'Google');
  await guest.goto(`${site.origin}/auth/callback?error=access_denied`);
  await dare.waitFor();
  const taker = somebody('Wolfeschlegelsteinhausenbergerdorff the Elder');
  await signInAs(guest, taker);
  const theirs = new Device(guest);
  const duel = theirs.dialog.getByRole('region', { name: 'Duel' });
  await duel.getByRole('heading', { name: 'Nora dares you:' }).waitFor();
  await theirs.button('Start game 1 of 5').click();
  await theirs.playGame(1, 'win', day);
  await playChallenge(await aSignedInVisitor(site.server, taker), day, ['win', 'draw', 'win'], 2);
  // It opens by itself once.
  await guest.reload();
  await theirs.panel.getByRole('button', { name: 'Continue' }).waitFor();
  expect(await theirs.dialog.count()).toBe(0);
  await theirs.open();
  await theirs.button('Start game 5 of 5').click();
  await theirs.playGame(5, 'draw', day);
  await theirs.button('See your result').click();
  await duel.getByRole('heading', { name: 'You win!' }).waitFor();
  expect(await duel.getByText(/^\d+ moves$/).count()).toBe(2);
  expect(await duel.innerText()).not.toContain('#');
  await theirs.button('Dare somebody').waitFor();
  await theirs.dialog.getByRole('region', { name: 'Rivals' }).getByText('Nora').waitFor();
  await theirs.dialog.getByText('3 wins, 2 draws').waitFor();
  const best = theirs.dialog.getByRole('region', { name: "Today's best" });
  expect(await best.count()).toBe(0);
  await expectNoViolations(guest);
  await theirs.button('Close').click();
  await theirs.dialog.waitFor({ state: 'detached' });
  expect(new URL(guest.url()).pathname).toBe('/');
  await theirs.panel.getByText('1st of 2 today').waitFor();

  await page.goto(site.origin);
  await hers.panel.getByText('took your dare: 3 of 5, and beat you.').waitFor();
  await expectNoViolations(page, { inView: [hers.panel.getByRole('button')] });
  // The next day.
  await site.server.moveClock(DAY);
  await page.clock.setSystemTime(now + DAY);
  await page.reload();
  await hers.panel.getByText('Yesterday: 2nd of 2').waitFor();
  await hers.panel.getByText('took your dare: 3 of 5, and beat you.').waitFor();
  await playChallenge(await aSignedInVisitor(site.server, person), dayOf(now + DAY), RESULTS);
  await page.reload();
  await hers.panel.getByText('1st of 1 today · Day 2').waitFor();
  await page.getByRole('region', { name: 'Last Games' }).getByText('Hard · 10 Feb challenge').waitFor();
});

test('a duel of a day that is over shows its result, and the games of today', async () => {
  const name = 'عبد الرحمن بن محمد بن عبد الله بن عبد العزيز الفهد';
  const rival = await aSignedInVisitor(site.server, { name });
  await playChallenge(rival, day, RESULTS);
  await site.server.moveClock(DAY);
  const { page } = await site.openGame({
    path: linkTo(rival.user.id),
    prepare: (page) => page.clock.install({ time: now + DAY }),
  });
  const device = new Device(page);
  await device.dialog.getByRole('heading', { name: '9 Feb' }).waitFor();
  // The day of the server decides.
  for (const time of [now - 4 * DAY, now + 5 * DAY]) {
    const guest = await site.open({ path: linkTo(rival.user.id), prepare: (page) => page.clock.install({ time }) });
    const said = `${name} won 3 of 5 on 9 Feb. Today's five are new.`;
    await guest.getByRole('status').filter({ hasText: said }).waitFor();
    if (time < now) continue;
    await expectNoViolations(guest);
    await guest.getByRole('button', { name: 'Play it all the same' }).click();
    const practice = await practise(guest, day, ['draw', 'win', 'win', 'lose', 'lose']);
    await practice.dialog.getByText('2 wins, 1 draw', { exact: true }).waitFor();
    await practice.dialog.getByRole('heading', { name: `${name} wins.` }).waitFor();
    expect(await lettersIn(practice.dialog.getByRole('list', { name }))).toBe('WWDWL');
    await expectNoViolations(guest);
  }
  await expectNoViolations(page, { inView: [device.button('Start game 1 of 5')] });
});

test('a duel of a day that is over is played all the same, offline too, and the server keeps nothing of it', async () => {
  const { server } = site;
  const [rival, player] = [await aSignedInVisitor(server, { name: 'Nora' }), await aSignedInVisitor(server)];
  await playChallenge(rival, day, RESULTS);
  await playChallenge(player, day, ['win', 'lose', 'lose', 'lose', 'lose']);
  await waitAs(server, player, DAY);
  await playChallenge(player, dayOf(now + DAY), ['win', 'win', 'lose', 'lose', 'draw']);
  const stored = async () => [
    await challengeOf(player),
    await player.graphql('{ me { stats { score wins losses draws } games { edges { node { id } } } } }'),
  ];
  const before = await stored();
  const prepare = (page: Page) => page.clock.install({ time: now + DAY });
  const { page } = await site.openGame({ as: player, path: linkTo(rival.user.id), prepare });
  const device = new Device(page);
  await device.button('Play it all the same').click();
  await page.context().setOffline(true);
  const { dialog } = await practise(page, day, ['win', 'win', 'win', 'win', 'draw']);
  await dialog.getByText('4 wins, 1 draw', { exact: true }).waitFor();
  await dialog.getByText(/^\d+ moves \(best possible: \d+\)$/).waitFor();
  expect(await lettersIn(dialog.getByRole('list', { name: player.user.name }))).toBe('WLLLL');
  // On the day itself, Nora has won.
  expect(await dialog.getByRole('heading').allInnerTexts()).toEqual(['Practice: 9 Feb', 'You win!', '9 Feb']);
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await page.context().setOffline(false);

  const bars = device.dialog.getByRole('region', { name: 'Your last 30 days' });
  await bars.locator('summary', { hasText: '1 win: 1 day' }).click();
  await expectNoViolations(page);
  await bars.getByRole('button', { name: '9 Feb · 1 win' }).click();
  const again = await practise(page, day, ['lose', 'draw', 'win', 'win', 'draw']);
  await again.dialog.getByRole('region', { name: '9 Feb' }).getByText('You', { exact: true }).waitFor();
  expect(await again.dialog.getByRole('heading').allInnerTexts()).toEqual(['Practice: 9 Feb', '9 Feb']);
  expect(await stored()).toEqual(before);
});

test('a link with something behind it opens its duel, one of nobody says so, and only the callback reads the result of a sign-in', async () => {
  const rival = await aSignedInVisitor(site.server, { name: 'Nora' });
  await playChallenge(rival, day, RESULTS);
  const guest = await site.open({ prepare });
  const exchanges: string[] = [];
  guest.on('request', (request) => request.url().endsWith('/auth/token') && exchanges.push(request.url()));
  const plain = linkTo(rival.user.id);
  for (const [behind, left] of [
    [')#Echobox=1', ')'],
    ['?utm_source=x&code=any&error=access_denied&access_token=any', '?utm_source=x'],
  ] as const) {
    await guest.goto(site.origin + plain + behind);
    await guest.getByText('Nora won 3 of 5 today.').waitFor();
    expect(guest.url()).toBe(site.origin + plain + left);
    expect(await guest.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0);
  }
  expect(exchanges).toEqual([]);
  const { page } = await site.openGame({ prepare, path: `${plain}.#xtor=RSS-1` });
  await new Device(page).dialog.getByRole('heading', { name: 'Nora dares you:' }).waitFor();
  expect(page.url()).toBe(`${site.origin}${plain}.`);
  await page.goto(`${site.origin}/?open=account#x`);
  await page.getByRole('dialog', { name: 'Account' }).waitFor();
  await guest.goto(`${site.origin}${plain}A`);
  await guest.getByRole('status').filter({ hasText: nobody }).waitFor();
  await guest.getByRole('button', { name: 'Continue with Google' }).waitFor();
  await expectNoViolations(guest);
  await page.goto(`${site.origin}/d/<b>nobody</b>`);
  const { dialog } = new Device(page);
  await dialog.getByText(nobody).waitFor();
  await dialog.getByRole('button', { name: 'Start game 1 of 5' }).waitFor();
  await expectNoViolations(page);
  await page.goto(site.origin + linkTo(randomUUID(), '1970-01-01'));
  await dialog.getByText(nobody).waitFor();
  const duels = await cut(page, 'Duel');
  await page.goto(site.origin + linkTo(randomUUID()));
  await dialog.getByText('The server did not answer. Please try again.').waitFor();
  duels.restore();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText(nobody).waitFor();
});
