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
async function news(page: Page): Promise<string[]> {
  // Disabled until the page has asked for the challenge and the rivals.
  await page.getByRole('button', { name: 'Result', exact: true, disabled: false }).waitFor();
  return page.getByRole('button', { name: /has beaten/ }).allInnerTexts();
}

test('rivals see each other every day, dare, hear once who was better, and forget', async () => {
  await site.server.resetClock();
  await site.server.moveClock(now - Date.now());
  const darer = await play(ADA, FAIR);
  await play(LONG, GOOD, darer.user.id);
  now += DAY;
  await site.server.moveClock(DAY);
  const { page } = await site.openGame({
    as: await play(ADA, FAIR),
    permissions: ['clipboard-write'],
    prepare: (page) => page.clock.install({ time: now }),
  });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const says = (text: string) => page.getByRole('region', { name: 'Rivals' }).getByText(text).waitFor();
  const wasBetter = (day: string) => `${LONG.name} has beaten your result of ${day}.`;

  expect(await news(page)).toEqual([wasBetter('yesterday')]);
  await expectNoViolations(page);
  await press(wasBetter('yesterday'));
  await says('Not finished yet');
  await says('Days won 0, drawn 0, lost 1');
  await expectNoViolations(page);
  await press(`Dare ${LONG.name}`);
  await says('Copied: paste it wherever you like.');
  await play(LONG, GOOD);
  await page.reload();
  expect(await news(page)).toEqual([wasBetter('today')]);
  await page.reload();
  expect(await news(page)).toEqual([]);

  await press('Leaderboard');
  await page.getByRole('tab', { name: 'Rivals' }).click();
  await eventually(() => page.locator('dialog li bdi').allInnerTexts(), [LONG.name, ADA.name]);
  await expectNoViolations(page);
  await press('Close');
  await press('Result');
  await press(`Remove ${LONG.name} from your rivals`);
  await page.getByRole('region', { name: 'Rivals' }).waitFor({ state: 'detached' });
  await press('Close');
  await press('Leaderboard');
  await eventually(() => page.getByRole('tab').allInnerTexts(), ['All time', 'Week']);
});
