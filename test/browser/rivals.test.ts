import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Result } from '../../game/rules.js';
import { DAY, playChallenge, startChallenge } from '../support/challenge.js';
import { aSite, eventually, somebody } from '../support/page.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';

const site = aSite();
const [ADA, LONG] = [somebody('Ada'), somebody('Wolfeschlegelsteinhausenbergerdorff the Elder')];
const [GOOD, FAIR] = [['win', 'win', 'win', 'win', 'draw'] as const, ['win', 'win', 'lose', 'win', 'draw'] as const];
/** A Monday. */
let now = Date.parse('2033-05-02T12:00:00Z');

async function play(person: typeof ADA, results: readonly Result[], daredBy?: string) {
  const player = await aSignedInVisitor(site.server, person);
  const day = new Date(now).toISOString().slice(0, 10);
  await startChallenge(player, day, 1, daredBy);
  await playChallenge(player, day, results);
  return player;
}

/** @returns what the page says of rivals who were better */
async function visit(page: Page, days = 0): Promise<string[]> {
  if (days > 0) await site.server.moveClock(days * DAY);
  await page.clock.setSystemTime((now += days * DAY));
  await page.reload();
  // Disabled until the page has asked for the challenge and the rivals.
  await page.getByRole('button', { name: /^(Play|Result)$/, disabled: false }).waitFor();
  return page.getByRole('button', { name: /has beaten/ }).allInnerTexts();
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const says = (page: Page, text: string) => page.getByRole('region', { name: 'Rivals' }).getByText(text).waitFor();

test('rivals see each other every day, dare, hear once who was better, and forget', async () => {
  await site.server.resetClock();
  await site.server.moveClock(now - Date.now());
  const phone = { prepare: (page: Page) => page.clock.install({ time: now }), permissions: ['clipboard-write'] };
  const darer = await play(ADA, FAIR);
  const { page: long } = await site.openGame({ as: await play(LONG, GOOD, darer.user.id), ...phone });
  const { page: ada } = await site.openGame({ as: darer, ...phone });
  // Of a taker, the card says so already.
  expect(await visit(ada, 1)).toEqual([]);
  await play(ADA, FAIR);
  await visit(ada);
  await press(ada, 'Result');
  await says(ada, 'Not finished yet');
  await expectNoViolations(ada);
  await press(ada, `Dare ${LONG.name}`);
  await says(ada, 'Copied: paste it wherever you like.');
  await play(LONG, GOOD);
  expect(await visit(ada)).toEqual([`${LONG.name} has beaten your result of today.`]);
  await expectNoViolations(ada);
  await press(ada, `${LONG.name} has beaten your result of today.`);
  await says(ada, 'Days won 0, drawn 0, lost 1');
  await visit(long, 1);
  await press(long, 'Play');
  await says(long, 'Days won 2, drawn 0, lost 0');
  await Promise.all([play(ADA, FAIR), play(LONG, GOOD)]);
  expect(await visit(ada, 1)).toEqual([`${LONG.name} has beaten your result of yesterday.`]);
  expect(await visit(ada)).toEqual([]);
  await press(ada, 'Leaderboard');
  await ada.getByRole('tab', { name: 'Rivals' }).click();
  await eventually(() => ada.locator('dialog li bdi').allInnerTexts(), [LONG.name, ADA.name]);
  await expectNoViolations(ada);
  await press(ada, 'Close');
  await press(ada, 'Play');
  await press(ada, `Remove ${LONG.name} from your rivals`);
  await ada.getByRole('button', { name: `Remove ${LONG.name} from your rivals` }).waitFor({ state: 'detached' });
  await press(ada, 'Close');
  await visit(long);
  await press(long, 'Leaderboard');
  await eventually(() => long.getByRole('tab').allInnerTexts(), ['All time', 'Week']);
});
