import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, cut, eventually, hold, isOperation, signInAs, somebody } from '../support/page.js';
import { query } from '../support/server.js';
import { RESULTS, Table, sitDown } from '../support/table.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

const site = aSite();

const SAVED_LATER = 'Not saved yet. Your result is kept here and will be saved later.';

const BACK_ONLINE = 'void dispatchEvent(new Event("online"))';

async function winsOnServer(visitor: Visitor) {
  const { data } = await visitor.graphql<{ myStats: { score: number; wins: number } }>('{ myStats { score wins } }');
  return data?.myStats;
}

/** The games that this page has sent, once more for each try. */
function countSaves(page: Page): () => number {
  let saves = 0;
  page.on('request', (request) => void (isOperation('FinishGame')(request) && (saves += 1)));
  return () => saves;
}

/** From the next page load on: each score that stands in the panel, in order, however briefly. */
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

describe('a finished game', () => {
  test('counts in the panel at once, and once, while the server has not answered and when it does', async () => {
    let gate!: { open(): void };
    const { page, table, visitor } = await sitDown(site, {
      prepare: async (page) => {
        await watchScores(page);
        gate = await hold(page, '**/graphql', 'FinishGame');
      },
    });
    await table.choose('easy');
    await table.play('win');
    await table.statsBecome('1', '1/3', '1', '0', '0');
    await table.newGame();
    await table.play('win');
    await table.statsBecome('2', '2/3', '2', '0', '0');
    expect(await winsOnServer(visitor)).toEqual({ score: 0, wins: 0 });

    // On a slow machine the looks after a save share one request: the last of them knows both games.
    const looked = page.waitForResponse(
      async (response) =>
        isOperation('MyStats')(response.request()) &&
        ((await response.json()) as { data: { myStats: { wins: number } } }).data.myStats.wins === 2,
    );
    gate.open();
    await looked;
    await table.statsBecome('2', '2/3', '2', '0', '0');
    expect(await winsOnServer(visitor)).toEqual({ score: 2, wins: 2 });
    expect(await scores(page)).toEqual(['0', '1', '2']);
  });

  test('has just been played, also by a computer whose clock is a day ahead', async () => {
    const { page, table } = await sitDown(site, {
      prepare: (page) => page.clock.install({ time: Date.now() + 24 * 60 * 60_000 }),
    });
    await table.play('win');
    await page.getByRole('button', { name: /^Replay: Win .* just now/ }).waitFor();
  });
});

describe('a session that ends during a game', () => {
  test('leaves the board, says what to do, and the game is counted after the next sign-in', async () => {
    const { page, table, visitor } = await sitDown(site, { prepare: (page) => page.clock.install() });
    site.expectProblem(/status of 401 .*\/auth\/refresh/, /^No auth token/);
    await table.choose('easy');
    const [first, ...others] = await table.plan('win');
    await table.playSquares([first!]);
    await table.myTurn();
    await query(site.server, 'UPDATE sessions SET revoked_at = now() WHERE player_id = $1', [visitor.user!.id]);
    await page.clock.fastForward('09:01');
    await table.notice('Your session has ended: finish this game, then').waitFor();

    await table.playSquares(others);
    await table.status(RESULTS.win).waitFor();
    await table.notice('Your session has ended: sign in again to save it.').waitFor();
    await table.statsBecome('1', '1/3', '1', '0', '0');
    await page.getByRole('button', { name: 'sign in again' }).click();
    await page.getByRole('alert').getByText('Your session has ended: please sign in again.').waitFor();
    const { name, email } = visitor.user!;
    await signInAs(page, { name, email });
    await page.getByRole('button', { name: /^Replay: Win/ }).waitFor();
    await table.statsBecome('1', '1/3', '1', '0', '0');
    expect(await page.evaluate('Object.keys(localStorage).join()')).not.toContain('.outbox.');
  });

  test('that the page hears of only with the last move leaves the result to be seen', async () => {
    const { page, table, visitor } = await sitDown(site);
    site.expectProblem(/status of 401 .*\/auth\/refresh/, /^No auth token/);
    await table.choose('easy');
    await table.fetchedAhead();
    await query(site.server, 'UPDATE sessions SET revoked_at = now() WHERE player_id = $1', [visitor.user!.id]);
    await table.play('win');
    await table.notice('Your session has ended: sign in again to save it.').waitFor();
    expect(await table.status(RESULTS.win).isVisible()).toBe(true);
    // There is no next game here.
    await table.newGame();
    await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  });
});

describe('a game that cannot be saved', () => {
  test('still shows its result, says so, and is counted once when the network is back', async () => {
    const { page, table, visitor } = await sitDown(site);
    const network = await cut(page, 'FinishGame');
    site.expectProblem(/ERR_CONNECTION_FAILED .*\/graphql/, /^Failed to fetch/);
    await table.choose('easy');
    await table.play('win');
    await table.notice(SAVED_LATER).waitFor();
    expect(await table.status(RESULTS.win).isVisible()).toBe(true);
    expect(await winsOnServer(visitor)).toEqual({ score: 0, wins: 0 });

    network.mend();
    await page.evaluate(BACK_ONLINE);
    await table.statsBecome('1', '1/3', '1', '0', '0');
    await table.notice(SAVED_LATER).waitFor({ state: 'hidden' });
    expect(await winsOnServer(visitor)).toEqual({ score: 1, wins: 1 });
  });

  test('is sent again by itself after five seconds', async () => {
    const { page, table, visitor } = await sitDown(site, { prepare: (page) => page.clock.install() });
    const network = await cut(page, 'FinishGame');
    site.expectProblem(/ERR_CONNECTION_FAILED .*\/graphql/, /^Failed to fetch/);
    await table.choose('easy');
    await table.play('win');
    await table.notice(SAVED_LATER).waitFor();
    network.mend();
    await page.clock.fastForward(5_000);
    await table.statsBecome('1', '1/3', '1', '0', '0');
    expect(await winsOnServer(visitor)).toEqual({ score: 1, wins: 1 });
  });

  test('is sent after a reload, with those that were played after it', async () => {
    const { page, table, visitor } = await sitDown(site, { prepare: watchScores });
    const network = await cut(page, 'FinishGame');
    site.expectProblem(/ERR_CONNECTION_FAILED .*\/graphql/, /^Failed to fetch/);
    await table.choose('easy');
    await table.play('win');
    await table.newGame();
    await table.play('win');
    await table.newGame();
    await table.play('win');
    // The page knows that this was the third, though the server does not yet.
    await table.status('🎉 3 WINS IN A ROW! +1 BONUS POINT!').waitFor();
    await table.notice(SAVED_LATER).waitFor();
    await table.statsBecome('4', '0/3', '3', '0', '0');

    network.mend();
    await page.reload();
    await page
      .getByRole('button', { name: /^Replay: Win/ })
      .nth(2)
      .waitFor();
    await table.statsBecome('4', '0/3', '3', '0', '0');
    expect(await scores(page)).toEqual(['4']);
    expect(await winsOnServer(visitor)).toEqual({ score: 4, wins: 3 });
  });

  test('and waits in two tabs is sent by one of them', async () => {
    const { page, table, visitor } = await sitDown(site, { prepare: watchScores });
    const network = await cut(page, 'FinishGame');
    site.expectProblem(/ERR_CONNECTION_FAILED .*\/graphql/, /^Failed to fetch/);
    await table.choose('easy');
    await table.play('win');
    await table.notice(SAVED_LATER).waitFor();
    const other = await Table.at(await page.context().newPage());
    await watchScores(other.page);
    const otherNetwork = await cut(other.page, 'FinishGame');
    await other.page.goto(page.url());
    await other.notice(SAVED_LATER).waitFor();

    const tables = [table, other];
    const saves = tables.map((tab) => countSaves(tab.page));
    network.mend();
    otherNetwork.mend();
    await Promise.all(tables.map((tab) => tab.page.evaluate(BACK_ONLINE)));
    // Whichever of them it was: both tell what has become of it.
    for (const tab of tables) {
      await tab.statsBecome('1', '1/3', '1', '0', '0');
      await tab.page.getByRole('button', { name: /^Replay: Win/ }).waitFor();
      await tab.notice(SAVED_LATER).waitFor({ state: 'hidden' });
    }
    expect([await scores(page), await scores(other.page)]).toEqual([['0', '1'], ['1']]);
    expect(saves.reduce((sum, count) => sum + count(), 0)).toBe(1);
    expect(await winsOnServer(visitor)).toEqual({ score: 1, wins: 1 });
  });

  test('when its player has left is not sent in the name of the next one: it waits for its own', async () => {
    const { page, table, visitor } = await sitDown(site, { prepare: (page) => page.clock.install() });
    const saves = countSaves(page);
    let fail!: () => void;
    const failing = new Promise<void>((resolve) => (fail = resolve));
    await page.route('**/graphql', async (route) => {
      if (!isOperation('FinishGame')(route.request()) || saves() > 1) return route.fallback();
      await failing;
      await route.abort('connectionfailed');
    });
    site.expectProblem(/ERR_CONNECTION_FAILED .*\/graphql/, /^Failed to fetch/);
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

  test('counts once when only the answer was lost', async () => {
    const { page, table, visitor } = await sitDown(site);
    const saves = countSaves(page);
    site.expectProblem(/ERR_CONNECTION_FAILED .*\/graphql/, /^Failed to fetch/);
    await page.route('**/graphql', async (route) => {
      if (!isOperation('FinishGame')(route.request()) || saves() > 1) return route.fallback();
      await route.fetch();
      await route.abort('connectionfailed');
    });
    await table.choose('easy');
    await table.play('win');
    await table.notice(SAVED_LATER).waitFor();
    expect(await winsOnServer(visitor)).toEqual({ score: 1, wins: 1 });
    await page.evaluate(BACK_ONLINE);
    await table.statsBecome('1', '1/3', '1', '0', '0');
    expect(saves()).toBe(2);
    expect(await winsOnServer(visitor)).toEqual({ score: 1, wins: 1 });
  });

  test('because the server fails is logged with the server’s sentence and sent again', async () => {
    const { page, table } = await sitDown(site);
    const saves = countSaves(page);
    await page.route('**/graphql', async (route) => {
      if (!isOperation('FinishGame')(route.request()) || saves() > 1) return route.fallback();
      const message = 'Something went wrong. (test)';
      const errors = [{ message, path: ['finishGame'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }];
      await route.fulfill({ json: { data: null, errors } });
    });
    site.expectProblem(/^Something went wrong\. \(test\)/);
    await table.choose('easy');
    await table.play('lose');
    await table.notice(SAVED_LATER).waitFor();
    expect(await table.status(RESULTS.lose).isVisible()).toBe(true);
    await page.evaluate(BACK_ONLINE);
    await table.statsBecome('−1', '0/3', '0', '1', '0');
  });

  test('because the server refuses it is given up, and the page says why until that is dismissed', async () => {
    const { page, table, visitor } = await sitDown(site, { prepare: watchScores });
    const saves = countSaves(page);
    await page.route('**/graphql', async (route) => {
      if (!isOperation('FinishGame')(route.request())) return route.fallback();
      const body = route.request().postDataJSON() as { variables: { squares: number[] } };
      body.variables.squares = [0, 0, 0];
      await route.continue({ postData: JSON.stringify(body) });
    });
    site.expectProblem(/^These moves break the rules, so the game is not counted\./);
    await table.choose('easy');
    await table.play('win');
    await table.notice('A finished game could not be counted:').waitFor();
    // What it added is taken away again.
    await table.statsBecome('0', '0/3', '0', '0', '0');
    expect(await scores(page)).toEqual(['0', '1', '0']);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await table.notice('A finished game could not be counted:').count()).toBe(0);
    await page.evaluate(BACK_ONLINE);
    expect(saves()).toBe(1);
    expect(await winsOnServer(visitor)).toEqual({ score: 0, wins: 0 });
  });
});

describe('without a ticket', () => {
  const PRACTICE = 'Practice game: the server cannot be reached, so this one will not count.';

  test('the game is practice, says so, and is not sent; the next one counts', async () => {
    const { page, table, visitor } = await sitDown(site, { prepare: (page) => page.clock.install() });
    await table.fetchedAhead();
    const network = await cut(page, 'StartGame');
    const saves = countSaves(page);
    site.expectProblem(/ERR_CONNECTION_FAILED .*\/graphql/);
    // The first ticket is used, the one fetched ahead too; then there is none.
    await table.play('win');
    await table.statsBecome('1', '1/3', '1', '0', '0');
    await table.newGame();
    await table.play('draw');
    await table.statsBecome('1', '0/3', '1', '0', '1');
    await table.newGame();
    await table.notice(PRACTICE).waitFor();
    await table.playOn();
    expect(saves()).toBe(2);

    network.mend();
    await page.clock.fastForward(10_000);
    await table.newGame();
    await table.notice(PRACTICE).waitFor({ state: 'hidden' });
    await table.play('win');
    await table.statsBecome('2', '1/3', '2', '0', '1');
    expect(await winsOnServer(visitor)).toEqual({ score: 2, wins: 2 });
  });

  test('that is only late, the game can begin, and counts when the ticket comes before the bot’s first answer', async () => {
    let gate!: { open(): void };
    const { page, table } = await sitDown(site, {
      prepare: async (page) => {
        await page.clock.install();
        gate = await hold(page, '**/graphql', 'StartGame');
      },
    });
    await table.notice('Connecting… until that works, this is a practice game.').waitFor();
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
    gate.open();
    const squares = await table.plan('win');
    await page.clock.resume();
    await table.notice('Connecting…').waitFor({ state: 'hidden' });
    await table.playSquares(squares);
    await table.status(RESULTS.win).waitFor();
    await table.statsBecome('1', '1/3', '1', '0', '0');
  });
});

describe('stats that cannot be loaded', () => {
  test('are a warning and zeros, and are fetched again with the next game', async () => {
    const visitor = await aSignedInVisitor(site.server);
    const report = { userId: visitor.user.id, result: 'win', difficulty: 'easy' };
    expect((await visitor.postJson('/api/player/stats', report)).status).toBeLessThan(300);
    let network!: Awaited<ReturnType<typeof cut>>;
    site.expectProblem(/ERR_CONNECTION_FAILED .*\/graphql/, /^Failed to load stats/);
    const { page, table } = await sitDown(site, {
      as: visitor,
      prepare: async (page) => (network = await cut(page, 'MyStats')),
    });
    await table.statsBecome('0', '0/3', '0', '0', '0');
    expect(await page.getByRole('alert').count()).toBe(0);
    network.mend();
    await table.newGame();
    await table.statsBecome('1', '1/3', '1', '0', '0');
  });

  test('are fetched again when somebody comes back to the tab', async () => {
    const { page, table, visitor } = await sitDown(site, { prepare: (page) => page.clock.install() });
    await table.statsBecome('0', '0/3', '0', '0', '0');
    const report = { userId: visitor.user!.id, result: 'win', difficulty: 'easy' };
    await visitor.postJson('/api/player/stats', report);
    await page.clock.fastForward(5_000);
    await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
    await table.statsBecome('1', '1/3', '1', '0', '0');
  });

  test('do not keep the player from the game for more than three seconds', async () => {
    const visitor = await aSignedInVisitor(site.server);
    let gate!: { open(): void };
    const page = await site.open({
      as: visitor,
      prepare: async (page) => {
        await page.clock.install();
        gate = await hold(page, '**/graphql', 'MyStats');
      },
    });
    await page.getByText('Loading stats...').waitFor();
    await page.clock.fastForward(3_000);
    await page.getByRole('grid', { name: 'Board' }).waitFor();
    gate.open();
  });
});
