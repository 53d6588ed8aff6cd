import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dareCode } from '../../game/dare.js';
import { challengeOf, DAY, playChallenge, waitAs } from '../support/challenge.js';
import { aSite, playTrial, signInAs, somebody, waitForProvider } from '../support/page.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';
import { Device, lettersIn } from './device.js';
import { expectFits } from './inView.js';

const site = aSite();
/** The seeds of this day are known, so its games can end as the test wants. */
const now = Date.parse('2032-02-09T12:00:00Z');
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const day = dayOf(now);
const at = (time: number) => ({ prepare: (page: Page) => page.clock.install({ time }) });
const RESULTS = ['win', 'win', 'draw', 'win', 'lose'] as const;
const linkTo = (playerId: string) => `/d/${dareCode({ playerId, day })}`;

beforeEach(async () => {
  await site.server.resetClock();
  await site.server.moveClock(now - Date.now());
});

test('a duel goes from the shared text over the sign-in and the five games to the winner', async () => {
  const nora = await aSignedInVisitor(site.server, { name: 'Nora' });
  await playChallenge(nora, day, RESULTS);
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page } = await site.openGame({ as: nora, path: linkTo(nora.user.id), ...at(now), permissions });
  const hers = new Device(page);
  await hers.dialog.getByText('This is your own link. Send it to somebody.').waitFor();
  await hers.button('Dare somebody').click();
  await hers.dialog.getByText('Copied: paste it wherever you like.').waitFor();
  const text = await page.evaluate<string>('navigator.clipboard.readText()');
  const [, link] = /^Tic-Tac-Toe, 9 Feb: 🟦🟦⬜🟦🟧 in \d+ moves\. Beat me: (http\S+)$/u.exec(text)!;
  expect(link).toBe(site.origin + linkTo(nora.user.id));
  await hers.button('Close').click();

  // Only the callback reads the result of a sign-in.
  const behind = '?utm_source=x&code=any&error=access_denied&access_token=any';
  const exchanges: string[] = [];
  const guest = await site.open({
    path: linkTo(nora.user.id) + behind,
    prepare: async (page) => {
      await page.clock.install({ time: now });
      page.on('request', (request) => request.url().endsWith('/auth/token') && exchanges.push(request.url()));
    },
  });
  const dare = guest.getByRole('status').filter({ hasText: 'Nora won 3 of 5 today. Can you beat that?' });
  expect(await lettersIn(dare)).toBe('WWDWL');
  expect(guest.url()).toBe(`${link}?utm_source=x`);
  expect(await guest.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0);
  expect(exchanges).toEqual([]);
  await expectFits(guest, dare, guest.getByRole('button', { name: 'Continue with GitHub' }));
  await playTrial(guest, 'Sign in and play the same five');
  // A sign-in that ends in an error returns to the duel, too.
  await waitForProvider(guest, 'Google');
  await guest.goto(`${site.origin}/auth/callback?error=access_denied`);
  await dare.waitFor();
  const taker = somebody('Wolfeschlegelsteinhausenbergerdorff the Elder');
  await signInAs(guest, taker);
  const theirs = new Device(guest);
  const duel = theirs.dialog.getByRole('region', { name: 'Duel' });
  await duel.getByRole('heading', { name: 'Nora dares you:' }).waitFor();
  await theirs.button('Start game 1 of 5').click();
  await theirs.myTurn();
  await playChallenge(await aSignedInVisitor(site.server, taker), day, ['win', 'win', 'draw', 'win']);
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

  await page.evaluate('void document.dispatchEvent(new Event("visibilitychange"))');
  await hers.panel.getByText('took your dare: 3 of 5, and beat you.').waitFor();
  expect(await hers.tiles()).toBe('WWDWL');
  await expectNoViolations(page, { inView: [hers.panel.getByRole('button')] });
});

test('a duel of a day that is over is played all the same, also offline and by a visitor, and the server keeps nothing of it', async () => {
  const { server } = site;
  const name = 'عبد الرحمن بن محمد بن عبد الله بن عبد العزيز الفهد';
  const [rival, player] = [await aSignedInVisitor(server, { name }), await aSignedInVisitor(server)];
  await playChallenge(rival, day, RESULTS);
  await playChallenge(player, day, ['win', 'lose', 'lose', 'lose', 'lose']);
  await waitAs(server, player, DAY);
  await playChallenge(player, dayOf(now + DAY), ['win', 'win', 'lose', 'lose', 'draw']);
  const stored = async () => [
    await challengeOf(player),
    await player.graphql('{ me { stats { score wins losses draws } games { edges { node { id } } } } }'),
  ];
  const before = await stored();
  const practiceOn = (page: Page) =>
    Object.assign(new Device(page), { dialog: page.getByRole('dialog', { name: 'Practice: 9 Feb' }) });

  // The day of the server decides.
  const guest = await site.open({ path: linkTo(rival.user.id), ...at(now - 4 * DAY) });
  const said = `${name} won 3 of 5 on 9 Feb. Today's five are new.`;
  await guest.getByRole('status').filter({ hasText: said }).waitFor();
  await expectNoViolations(guest, { inView: [guest.getByRole('button', { name: 'Continue with GitHub' })] });
  await guest.getByRole('button', { name: 'Play it all the same' }).click();
  const visiting = practiceOn(guest);
  for (const [at, result] of (['draw', 'win', 'win', 'lose', 'lose'] as const).entries()) {
    await visiting.playGame(at + 1, result, day);
    await visiting.button(/^(Next|See)/).click();
  }
  await visiting.dialog.getByRole('heading', { name: `${name} wins.` }).waitFor();

  const { page } = await site.openGame({ as: player, path: `${linkTo(rival.user.id)}.#xtor=RSS-1`, ...at(now + DAY) });
  expect(page.url()).toBe(`${site.origin}${linkTo(rival.user.id)}.`);
  const device = new Device(page);
  await device.dialog.getByRole('heading', { name: '9 Feb' }).waitFor();
  await device.button('Play it all the same').click();
  await page.context().setOffline(true);
  const practice = practiceOn(page);
  for (const [at, result] of (['win', 'win', 'win', 'win', 'draw'] as const).entries()) {
    await practice.playGame(at + 1, result, day);
    await practice.button(/^(Next|See)/).click();
  }
  await practice.dialog.getByText('No points, no place').waitFor();
  await practice.dialog.getByText('4 wins, 1 draw', { exact: true }).waitFor();
  await practice.dialog.getByText(/^\d+ moves \(best possible: \d+\)$/).waitFor();
  expect(await lettersIn(practice.dialog.getByRole('list', { name }))).toBe('WWDWL');
  expect(await lettersIn(practice.dialog.getByRole('list', { name: player.user.name }))).toBe('WLLLL');
  // On the day itself, the rival has won.
  expect(await practice.dialog.getByRole('heading').allInnerTexts()).toEqual(['Practice: 9 Feb', 'You win!', '9 Feb']);
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await page.context().setOffline(false);

  const bars = device.dialog.getByRole('region', { name: 'Your last 30 days' });
  await bars.locator('summary', { hasText: '1 win: 1 day' }).click();
  await expectNoViolations(page);
  await bars.getByRole('button', { name: '9 Feb · 1 win' }).click();
  await practice.myTurn();
  expect(await stored()).toEqual(before);
});
