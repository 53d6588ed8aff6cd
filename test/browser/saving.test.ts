import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import type { Result } from '../../game/rules.js';
import { aSite, cut, eventually, hold, isOperation, signInAs, somebody, stopClock } from '../support/page.js';
import { statsOf } from '../support/play.js';
import { query } from '../support/server.js';
import { RESULT_MESSAGES, Table, sitDown, storedPlan } from '../support/table.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

const site = aSite();

const SAVED_LATER = "Saved on this device. It counts once you're online.";

const BACK_ONLINE = 'void dispatchEvent(new Event("online"))';

const winsOnServer = (visitor: Visitor) => statsOf(visitor, 'score wins');

const endSessions = (visitor: Visitor) =>
  query(site.server, 'UPDATE sessions SET revoked_at = now() WHERE player_id = $1', [visitor.user!.id]);

/** Counts the saves that this page sends, repeated ones included. */
function countSaves(page: Page): () => number {
  let saves = 0;
  page.on('request', (request) => void (isOperation('FinishGame')(request) && (saves += 1)));
  return () => saves;
}

/** Records each score that the panel shows, from the next page load on. */
async function watchScores(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const scores: string[] = [];
    new MutationObserver(() => {
      const score = document.querySelector('.stats-score dd')?.textContent;
      if (score && score !== scores.at(-1)) scores.push(score);
    }).observe(document, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { scores });
  });
}

const scores = (page: Page) => page.evaluate(() => (window as unknown as { scores: string[] }).scores);

test('a finished game counts in the panel at once, and once, however often it is sent; one that the server refuses is dropped', async () => {
  const { page, table, visitor } = await sitDown(site, { prepare: watchScores });
  const saves = countSaves(page);
  const errors = [{ message: 'Something went wrong. (test)', extensions: { code: 'INTERNAL_SERVER_ERROR' } }];
  site.expectProblem(/^Something went wrong/, /^A square is taken or off the board/);
  const lost = (route: Route) => route.abort('connectionfailed');
  const broken = (route: Route) => {
    const body = route.request().postDataJSON() as { variables: { squares: number[] } };
    body.variables.squares = [0, 0, 0];
    return route.continue({ postData: JSON.stringify(body) });
  };
  const ways = [
    lost,
    (route: Route) => route.fulfill({ json: { data: null, errors } }),
    // The game counts, and the answer is lost.
    (route: Route) => route.fetch().then(() => lost(route)),
    (route: Route) => route.fallback(),
    broken,
  ];
  await page.route('**/graphql', (route) =>
    isOperation('FinishGame')(route.request()) ? ways[saves() - 1]!(route) : route.fallback(),
  );
  await table.choose('easy');
  // The page repeats the save after some seconds, and the notice disappears.
  await stopClock(page);
  await table.play('win');
  for (const sent of [1, 2, 3]) {
    await eventually(() => Promise.resolve(saves()), sent);
    await table.notice(SAVED_LATER).waitFor();
    expect(await table.status(RESULT_MESSAGES.win).isVisible()).toBe(true);
    await table.statsBecome('1', '1/3', '1', '0', '0');
    await page.evaluate(BACK_ONLINE);
  }
  await table.notice(SAVED_LATER).waitFor({ state: 'hidden' });
  await table.statsBecome('1', '1/3', '1', '0', '0');
  expect(saves()).toBe(4);
  expect(await winsOnServer(visitor)).toEqual({ score: 1, wins: 1 });

  await table.newGame();
  await table.play('win');
  // The reason stays until the player dismisses it, and the panel takes the refused win back.
  await table.notice("A finished game didn't count:").waitFor();
  await table.statsBecome('1', '1/3', '1', '0', '0');
  expect(await scores(page)).toEqual(['0', '1', '2', '1']);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(await page.getByRole('grid', { name: 'Board' }).locator(':focus').count()).toBe(1);
  expect(await table.notice("A finished game didn't count:").count()).toBe(0);
  await page.evaluate(BACK_ONLINE);
  expect(saves()).toBe(5);
  expect(await winsOnServer(visitor)).toEqual({ score: 1, wins: 1 });
});

test('when a session ends during a game, also when the page notices it with the last move, the page keeps the board and asks for a sign-in, which saves the game', async () => {
  const { page, table, visitor } = await sitDown(site);
  site.expectProblem(/status of 401 .*\/auth\/refresh/, /^No auth token/);
  await table.choose('easy');
  const [first, ...others] = await table.plan('win');
  await table.playSquares([first!]);
  await table.myTurn();
  await endSessions(visitor);
  await page.clock.fastForward('09:01');
  await table.notice("You've been signed out. Finish this game, then").waitFor();

  await table.playSquares(others);
  await table.status(RESULT_MESSAGES.win).waitFor();
  await table.notice("You've been signed out: sign in again to save it.").waitFor();
  await table.statsBecome('1', '1/3', '1', '0', '0');
  // Without a session one can still play, also at another level.
  for (const begin of [() => table.newGame(), () => table.radio('hard').click()]) {
    await begin();
    await table.notice("You've been signed out. Games don't count until you sign in again.").waitFor();
    await eventually(() => table.marks(), '.........');
  }
  await table.playOn();
  await page.getByRole('button', { name: 'sign in again' }).click();
  await page.getByRole('alert').getByText("You've been signed out. Sign in again.").waitFor();
  const { name, email } = visitor.user!;
  await signInAs(page, { name, email });
  await page.getByRole('button', { name: /^Replay: Win/ }).waitFor();
  await table.statsBecome('1', '1/3', '1', '0', '0');
  expect(await page.evaluate('Object.keys(localStorage).join()')).not.toContain('.outbox.');

  await table.becomes('hard');
  const squares = await table.plan('draw');
  await table.playSquares(squares.slice(0, -1));
  // A request that the page sends when it opens would find the end of the session before the game ends.
  await page.waitForLoadState('networkidle');
  await endSessions(visitor);
  await table.playSquares(squares.slice(-1));
  await table.notice("You've been signed out: sign in again to save it.").waitFor();
  expect(await table.status(RESULT_MESSAGES.draw).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'sign in again' }).click();
  await signInAs(page, { name, email });
  await table.statsBecome('1', '0/3', '1', '0', '1');
});

test('games that cannot be saved wait, and are sent by one tab only when two are open', async () => {
  const { page, table, visitor } = await sitDown(site, { prepare: watchScores });
  const networks = [await cut(page, 'FinishGame')];
  await table.choose('easy');
  await table.play('win');
  await table.notice(SAVED_LATER).waitFor();
  await table.newGame();
  await table.play('win');
  const bonus = table.status('🎉 3 WINS IN A ROW! +1 BONUS POINT!');
  expect(await bonus.count()).toBe(0);
  await table.newGame();
  await table.play('win');
  // The page knows the third win before the server does.
  await bonus.waitFor();
  await table.statsBecome('4', '3/3', '3', '0', '0');
  const other = await Table.at(await page.context().newPage(), site.server);
  await watchScores(other.page);
  networks.push(await cut(other.page, 'FinishGame'));
  await other.page.goto(page.url());
  await other.notice(SAVED_LATER).waitFor();
  await other.statsBecome('4', '0/3', '3', '0', '0');

  const tables = [table, other];
  const saves = tables.map((tab) => countSaves(tab.page));
  networks.forEach(({ restore }) => restore());
  await Promise.all(tables.map((tab) => tab.page.evaluate(BACK_ONLINE)));
  // Both tabs show the saved games.
  for (const tab of tables) {
    await eventually(() => tab.page.getByRole('button', { name: /^Replay: Win/ }).count(), 3);
    // The bonus is still on one board.
    await tab.statsBecome('4', tab === table ? '3/3' : '0/3', '3', '0', '0');
    await tab.notice(SAVED_LATER).waitFor({ state: 'hidden' });
  }
  expect([await scores(page), await scores(other.page)]).toEqual([['0', '1', '2', '4'], ['4']]);
  expect(saves.reduce((sum, count) => sum + count(), 0)).toBe(3);
  expect(await winsOnServer(visitor)).toEqual({ score: 4, wins: 3 });
});

test('a game that cannot be saved is not sent in the name of the next player, and waits for its own', async () => {
  const { page, table, visitor } = await sitDown(site);
  const saves = countSaves(page);
  let fail!: () => void;
  const failing = new Promise<void>((resolve) => (fail = resolve));
  await page.route('**/graphql', async (route) => {
    if (!isOperation('FinishGame')(route.request()) || saves() > 1) return route.fallback();
    await failing;
    await route.abort('connectionfailed');
  });
  await table.choose('easy');
  await table.play('win');
  await eventually(() => Promise.resolve(saves()), 1);

  const other = await page.context().newPage();
  await other.goto(site.origin);
  await Promise.all([other.waitForEvent('load'), other.getByRole('button', { name: 'Logout' }).click()]);
  await signInAs(other, somebody('Next Player'));
  await page.getByRole('banner').getByText('Next Player').waitFor();
  fail();
  await page.waitForEvent('console', (message) => message.text().startsWith('Failed to fetch'));
  await page.clock.fastForward(60_000);
  expect(await other.evaluate('Object.keys(localStorage).join()')).toContain(`.outbox.${visitor.user!.id}.`);
  expect(saves()).toBe(1);
  await Promise.all([other.waitForEvent('load'), other.getByRole('button', { name: 'Logout' }).click()]);
  const { name, email } = visitor.user!;
  await signInAs(other, { name, email });
  await other.getByRole('button', { name: /^Replay: Win/ }).waitFor();
});

test('without stats and a ticket the game begins, and counts when a late ticket arrives before the first move of the bot; later it is practice', async () => {
  const PRACTICE = "You're offline. This game won't count.";
  const visitor = await aSignedInVisitor(site.server);
  await visitor.report();
  site.expectProblem(/^Failed to load stats/);
  let gate!: { open(): void };
  let stats!: { restore(): void };
  const { page, table } = await sitDown(site, {
    as: visitor,
    prepare: async (page) => {
      gate = await hold(page, '**/graphql', 'StartGame');
      stats = await cut(page, 'MyStats');
    },
  });
  await table.statsBecome('0', '0/3', '0', '0', '0');
  expect(await page.getByRole('alert').count()).toBe(0);
  stats.restore();
  // They are fetched again with the next game.
  await table.newGame();
  await table.statsBecome('1', '1/3', '1', '0', '0');
  await table.notice("Connecting… This game won't count yet.").waitFor();
  gate.open();
  await table.notice('Connecting…').waitFor({ state: 'hidden' });
  const play = async (result: Result) => {
    await table.playSquares(await storedPlan(page, result));
    await table.status(RESULT_MESSAGES[result]).waitFor();
  };
  await play('win');
  await table.statsBecome('2', '2/3', '2', '0', '0');

  const isStocked = `localStorage.getItem('tic-tac-toe.ticket.${visitor.user.id}.medium') !== null`;
  await eventually(() => page.evaluate(isStocked), true);
  const network = await cut(page, 'StartGame');
  const saves = countSaves(page);
  // This game uses the ticket that was fetched ahead.
  await table.newGame();
  await play('draw');
  await table.statsBecome('2', '0/3', '2', '0', '1');
  await table.newGame();
  await table.notice(PRACTICE).waitFor();
  await table.playOn();
  expect(saves()).toBe(1);

  network.restore();
  await page.clock.fastForward(10_000);
  await table.newGame();
  await table.notice(PRACTICE).waitFor({ state: 'hidden' });
  await play('win');
  await table.statsBecome('3', '1/3', '3', '0', '1');
  // The panel counts the game before the server does.
  await eventually(() => winsOnServer(visitor), { score: 3, wins: 3 });
});
