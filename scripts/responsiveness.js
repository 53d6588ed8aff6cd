/**
 * `npm run responsiveness`: measures the interaction to next paint (INP) in the game and its dialogs, with a CPU that
 * Chromium slows down four times, and prints what made the slowest presses slow. The Event Timing API reports in steps of
 * 8 ms. Exits with 1 when the median of the moves is not below 50 ms, or that of another kind of press not below 100 ms.
 */
import './machine/node-version.js';
import { join } from 'node:path';
import { ROOT } from './machine/run.js';
import { signIn, withMeasuredPage } from './measure/measured-page.js';
import { presserOf } from './measure/presser.js';
import { quantile } from './measure/quantile.js';

const SLOWED = 4;
const GAMES = 10;
/** How often each dialog opens. */
const VISITS = 5;
const MOVE_LIMIT_MS = 50;
const LIMIT_MS = 100;
const PHONE = { width: 390, height: 844 };
const WINDOW = { width: 600, height: 1000 };

/**
 * @typedef {import('./measure/presser.js').Presser} Presser
 * @typedef {import('./measure/presser.js').Press} Press
 */

await withMeasuredPage(
  async ({ origin, browser }) => {
    const page = await browser.newPage();
    await page.setViewportSize(PHONE);
    const protocol = await browser.newCDPSession(page);
    // The page must fit into its window: Chromium presents no frame for a change outside, and the press would seem slow.
    const { windowId } = await protocol.send('Browser.getWindowForTarget');
    await protocol.send('Browser.setWindowBounds', { windowId, bounds: WINDOW });
    await page.addInitScript({ path: join(ROOT, 'scripts/page/presses.js') });
    await signIn(page, origin);
    await protocol.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });

    const presser = presserOf(page);
    for (let game = 0; game < GAMES; game++) await playGame(presser, game);
    for (let visit = 0; visit < VISITS; visit++) await visitDialogs(presser, visit);
    report(presser.seen);
  },
  { withPlayers: true },
);

async function playGame(/** @type {Presser} */ { page, point, key, button }, /** @type {number} */ game) {
  for (let over = false; !over; over = await page.evaluate('presses.botHasAnswered()')) {
    const square = page.getByRole('gridcell', { name: /, empty$/ }).first();
    if (game % 2 === 0) await point('move by pointer', square);
    else {
      await square.focus();
      await key('move by keyboard', 'Enter');
    }
  }
  await point('New Game', button('New Game'));
}

async function visitDialogs(/** @type {Presser} */ presser, /** @type {number} */ visit) {
  const { page, dialog, point, key, button, close, leave } = presser;
  const difficulty = page.getByRole('radio').nth(visit % 2);
  await point('difficulty', difficulty.locator('..'));
  await point('colours', button('Use the'));
  await point('open leaderboard', button('Leaderboard'));
  await dialog.getByRole('listitem').nth(9).waitFor();
  await point('this week', page.getByRole('tab', { name: 'This week' }));
  await dialog.getByText(/^Until/).waitFor();
  await close('leaderboard');
  await button('Leaderboard').click();
  await dialog.getByRole('listitem').nth(9).waitFor();
  await leave('leaderboard');
  await point('open challenge', page.getByRole('region', { name: "Today's challenge" }).getByRole('button'));
  await dialog.getByRole('button', { name: 'Start game' }).waitFor();
  await close('challenge');
  await point('open account', button('Account of'));
  await accountShown(presser);
  await point('sign-in tab', page.getByRole('tab', { name: 'Sign-in' }));
  await dialog.getByText('This browser').waitFor();
  await close('account');
  await button('Account of').click();
  await accountShown(presser);
  await leave('account');
  await point('open replay', button('Replay').first());
  await dialog.getByText('Verified').waitFor();
  await close('replay');
  await key('open shortcuts', '?');
  await dialog.waitFor();
  await close('shortcuts');
}

async function accountShown(/** @type {Presser} */ { dialog }) {
  // The achievements have arrived.
  await dialog.getByText('–', { exact: true }).first().waitFor({ state: 'hidden' });
}

/** Prints the presses and compares them with the limits. */
function report(/** @type {Presser['seen']} */ seen) {
  console.log(`Interaction to next paint, processor slowed ${SLOWED} times, ${GAMES} games, ${VISITS} visits:`);
  for (const [kind, presses] of seen) console.log(summary(kind, presses));
  for (const [kind, presses] of seen) {
    const limit = kind.startsWith('move') ? MOVE_LIMIT_MS : LIMIT_MS;
    if (median(presses) >= limit) process.exitCode = 1;
  }
}

function summary(/** @type {string} */ kind, /** @type {Press[]} */ presses) {
  const slowest = presses.toSorted((one, other) => other.duration - one.duration)[0];
  return [
    `  ${kind.padEnd(24)}${String(presses.length).padStart(3)} presses`,
    `median ${median(presses)} ms`,
    `3 of 4 within ${quantile(durationsOf(presses), 0.75)} ms`,
    `slowest ${slowest ? describe(slowest) : ''}`,
  ].join('   ');
}

function median(/** @type {Press[]} */ presses) {
  return quantile(durationsOf(presses), 0.5);
}

function durationsOf(/** @type {Press[]} */ presses) {
  return presses.map(({ duration }) => duration);
}

/** What happened until the paint. */
function describe(/** @type {Press} */ { duration, delay, work, causes }) {
  const parts = [
    `${delay.toFixed()} ms before the event handlers`,
    `${work.toFixed()} ms in them`,
    `${(duration - delay - work).toFixed()} ms until the paint`,
  ];
  return `${duration} ms: ${[...parts, ...causes].join(', ')}`;
}
