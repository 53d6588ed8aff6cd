import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Result } from '../../game/rules.js';
import { weekOf } from '../../game/week.js';
import { squaresFor } from '../builders/finished-game.js';
import { finishGame, playGame, startGame } from '../support/play.js';
import { aServer, removeData, waitOn } from '../support/server.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

const DAY = 24 * 3_600_000;

describe('the leaderboard of a week', () => {
  const server = aServer();
  const wait = waitOn(() => server);
  beforeEach(() => removeData(server));

  interface Entry {
    playerId: string;
    name: string;
    score: number;
    totalGames: number;
  }

  /** Without a token, as the page asks. */
  async function board(chosen = ''): Promise<Entry[]> {
    const { data } = await new Visitor(server).graphql<{ leaderboard: Entry[] }>(
      `{ leaderboard(period: week${chosen}) { playerId name score totalGames } }`,
    );
    return data!.leaderboard;
  }
  const names = (entries: Entry[]) => entries.map(({ name }) => name);

  /** Moves the clock of the server to a moment of the week after the next change of weeks, and returns the name of that week. */
  async function moveTo(day: number, untilMidnight: number): Promise<string> {
    const now = Date.now();
    const monday = Date.parse(weekOf(new Date(now + 7 * DAY)));
    await server.resetClock();
    await server.stopClock();
    await wait(monday + (day + 1) * DAY - untilMidnight - Date.now());
    return weekOf(new Date(monday));
  }

  async function play(name: string, results: readonly Result[]): Promise<string> {
    const player = await aSignedInVisitor(server, { name });
    for (const result of results) await playGame(server, player, { result });
    return player.user.id;
  }

  const myWeek = async (player: Visitor, week = '') =>
    (
      await player.graphql<{ me: { week: object | null } }>(
        `{ me { week${week && `(week: "${week}")`} { rank name score totalGames } } }`,
      )
    ).data!.me.week;

  test('begins empty on Monday 00:00 UTC; a game counts in the week in which the server receives it', async () => {
    const SUNDAY = 6;
    const week = await moveTo(SUNDAY, 10_000);
    const player = await aSignedInVisitor(server, { name: 'Ada' });
    const tickets = [await startGame(player, 'easy'), await startGame(player, 'easy')];
    const [last, first] = tickets.map(
      ({ token, seed }) =>
        () =>
          finishGame(player, token, squaresFor({ difficulty: 'easy', seed, result: 'win' })),
    );
    const now = Date.parse(tickets[0]!.expiresAt) - 7 * DAY;
    await wait(Date.parse(week) + 7 * DAY - 1 - now);
    expect(await board()).toEqual([]);
    await last!();
    // Read from memory before: a player's own change is visible at once.
    expect(await board()).toMatchObject([{ playerId: player.user.id, name: 'Ada', score: 1, totalGames: 1 }]);
    const ofOneGame = { rank: 1, name: 'Ada', score: 1, totalGames: 1 };
    expect(await myWeek(player)).toEqual(ofOneGame);

    await wait(1);
    expect(await board()).toEqual([]);
    expect(await myWeek(player)).toBeNull();
    await first!();
    expect(await board()).toMatchObject([{ score: 1, totalGames: 1 }]);
    expect(await myWeek(player)).toEqual(ofOneGame);
    // The week before stays readable, and all time has both games.
    expect(await board(`, week: "${week}"`)).toMatchObject([{ score: 1, totalGames: 1 }]);
    expect(await myWeek(player, week)).toEqual(ofOneGame);
    const { data } = await player.graphql(
      `{ all: leaderboard { score } now: leaderboard(period: week) { score }
         then: leaderboard(period: week, week: "${week}") { score } none: leaderboard(period: week, week: "2999-12-30") { score } }`,
    );
    expect(data).toEqual({ all: [{ score: 2 }], now: [{ score: 1 }], then: [{ score: 1 }], none: [] });
  });

  test('ranks by score, wins, fewer losses and time as all time does, but by verified games alone', async () => {
    await moveTo(2, 12 * 3_600_000);
    await aSignedInVisitor(server, { name: 'Never played' });
    const reporter = await aSignedInVisitor(server, { name: 'Reported' });
    for (let reports = 0; reports < 2; reports++) await reporter.report();
    await play('Early', ['win']);
    await play('Late', ['win']);
    await play('More wins', ['win', 'win', 'lose']);
    await play('Bonus', ['win', 'win', 'win']);
    await play('Below zero', ['lose']);
    await play('Drawn', ['draw']);
    expect(names(await board())).toEqual(['Bonus', 'More wins', 'Early', 'Late', 'Drawn', 'Below zero']);
    expect(names(await board(', limit: 2'))).toEqual(['Bonus', 'More wins']);
    expect(await myWeek(reporter)).toBeNull();
    const { data } = await reporter.graphql<{ leaderboard: Entry[] }>('{ leaderboard { name } }');
    const ofAllTime = ['Bonus', 'Reported', 'More wins', 'Early', 'Late', 'Drawn', 'Below zero'];
    expect(names(data!.leaderboard)).toEqual(ofAllTime);
  });

  test('rejects a wrong period or week', async () => {
    const week = 'week must be the Monday on which the week begins, for example 2026-01-26.';
    const player = await aSignedInVisitor(server);
    for (const [field, message] of [
      ['leaderboard(period: week, week: "2026-11-17") { name }', week],
      ['leaderboard(week: "2026-11-16") { name }', 'week needs the period week.'],
      ['leaderboard(period: week, limit: 0) { name }', 'limit must be a whole number from 1 to 100.'],
      ['me { week(week: "now") { rank } }', week],
    ]) {
      const [error] = (await player.graphql(`{ ${field} }`)).errors!;
      expect([field, error!.extensions.code, error!.message]).toEqual([field, 'BAD_USER_INPUT', message]);
    }
    const { errors } = await new Visitor(server).graphql('{ me { week { rank } } }');
    expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });
});
