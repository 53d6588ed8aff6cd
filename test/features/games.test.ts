import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { squaresFor } from '../builders/finished-game.js';
import { finishGame, playGame, startGame } from '../support/play.js';
import { type Server, sharedServer, startServer } from '../support/server.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
  await server.stopClock();
});
afterAll(() => server.remove());

const myStats = async (player: Visitor) =>
  (
    await player.graphql<{ me: { stats: object } }>(
      '{ me { stats { score winStreak wins losses draws easyWins mediumWins hardWins } } }',
    )
  ).data!.me.stats;

describe('a verified game', () => {
  test("counts with the result of the server's replay, at every difficulty", async () => {
    const player = await aSignedInVisitor(server);
    const won = await playGame(server, player, { result: 'win', difficulty: 'easy' });
    expect(won).toMatchObject({
      __typename: 'GameCounted',
      game: { result: 'win', difficulty: 'easy', points: 1, bonus: false },
      stats: { playerId: player.user.id, score: 1, winStreak: 1, wins: 1, easyWins: 1 },
    });
    expect(await playGame(server, player, { result: 'win', difficulty: 'medium' })).toMatchObject({
      stats: { score: 2, mediumWins: 1 },
    });
    expect(await playGame(server, player, { result: 'draw', difficulty: 'hard' })).toMatchObject({
      game: { points: 0 },
      stats: { score: 2, winStreak: 0, draws: 1 },
    });
    expect(await playGame(server, player, { result: 'lose', difficulty: 'hard' })).toMatchObject({
      game: { points: -1 },
      stats: { score: 1, losses: 1 },
    });
    expect(await myStats(player)).toEqual({
      score: 1,
      winStreak: 0,
      wins: 2,
      losses: 1,
      draws: 1,
      easyWins: 1,
      mediumWins: 1,
      hardWins: 0,
    });
  });

  test('gives the bonus point for the third win in a row, and restarts the streak', async () => {
    const player = await aSignedInVisitor(server);
    const streak = [];
    for (let game = 0; game < 4; game++) {
      const { game: counted, stats } = await playGame(server, player, { result: 'win' });
      streak.push([counted!.points, counted!.bonus, stats!.winStreak, stats!.score]);
    }
    expect(streak).toEqual([
      [1, false, 1, 1],
      [1, false, 2, 2],
      [2, true, 0, 4],
      [1, false, 1, 5],
    ]);
  });

  test('counts once and answers the same when it is sent nine times', async () => {
    const player = await aSignedInVisitor(server);
    const ticket = await startGame(player, 'easy');
    const squares = squaresFor({ ...ticket, result: 'win' });
    await server.moveClock(5_000);
    const answers = await Promise.all(Array.from({ length: 8 }, () => finishGame(player, ticket.token, squares)));
    answers.push(await finishGame(player, ticket.token, squares));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await myStats(player)).toMatchObject({ score: 1, wins: 1 });
  });
});

describe('a game is refused and changes nothing', () => {
  const refusal = async (player: Visitor, token: string, squares: readonly number[]) =>
    (await finishGame(player, token, squares)).data?.finishGame;

  test('when the moves break the rules or do not finish it', async () => {
    const player = await aSignedInVisitor(server);
    const ticket = await startGame(player, 'easy');
    await server.moveClock(5_000);
    const squares = squaresFor({ ...ticket, result: 'win' });
    for (const [moves, reason] of [
      [[], 'game_unfinished'],
      [squares.slice(0, -1), 'game_unfinished'],
      [[...squares, squares[0]!], 'illegal_move'],
      [[squares[0]!, squares[0]!], 'illegal_move'],
      [[9], 'illegal_move'],
      [[-1], 'illegal_move'],
      [Array(5000).fill(0), 'illegal_move'],
    ] as const) {
      expect(await refusal(player, ticket.token, moves)).toMatchObject({ __typename: 'GameRefused', reason });
    }
    expect(await myStats(player)).toMatchObject({ score: 0, wins: 0, losses: 0, draws: 0 });
    expect(await refusal(player, ticket.token, squares)).toMatchObject({ __typename: 'GameCounted' });
  });

  test('when the ticket is forged, changed, cut or encoded differently', async () => {
    const player = await aSignedInVisitor(server);
    const ticket = await startGame(player, 'easy');
    await server.moveClock(5_000);
    const squares = squaresFor({ ...ticket, result: 'win' });
    const bytes = Buffer.from(ticket.token, 'base64url');
    const changed = Array.from(bytes, (_, at) => {
      const copy = Buffer.from(bytes);
      copy[at]! ^= 1;
      return copy.toString('base64url');
    });
    const spellings = ['', 'x', ticket.token.slice(0, -1), `${ticket.token}A`, `${ticket.token}=`, ` ${ticket.token}`];
    for (const token of [...changed, ...spellings, 'A'.repeat(ticket.token.length), 'A'.repeat(10_000)]) {
      expect(await refusal(player, token, squares)).toMatchObject({ reason: 'ticket_invalid' });
    }
    expect(await myStats(player)).toMatchObject({ wins: 0 });
  });

  test('when it took less time than the bot needs, until that time is over', async () => {
    const player = await aSignedInVisitor(server);
    const ticket = await startGame(player, 'easy');
    const squares = squaresFor({ ...ticket, result: 'win' });
    expect(await refusal(player, ticket.token, squares)).toMatchObject({ reason: 'too_fast' });
    await server.moveClock(5_000);
    expect(await refusal(player, ticket.token, squares)).toMatchObject({ __typename: 'GameCounted' });
  });

  test('when the session has ended', async () => {
    const player = await aSignedInVisitor(server);
    const ticket = await startGame(player, 'easy');
    await server.moveClock(5_000);
    await player.signOut();
    const answer = await finishGame(player, ticket.token, squaresFor({ ...ticket, result: 'win' }));
    expect(answer.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });
});

describe('limits', () => {
  test('GAMES_PER_MINUTE games count in a minute, and a refused game counts in the next minute', async () => {
    const own = await startServer({ env: { GAMES_PER_MINUTE: '3', REPORTS_PER_MINUTE: '2' } });
    try {
      await own.stopClock();
      const player = await aSignedInVisitor(own);
      for (let game = 0; game < 3; game++) await playGame(own, player, { result: 'win' });
      const ticket = await startGame(player, 'easy');
      await own.moveClock(5_000);
      const squares = squaresFor({ ...ticket, result: 'win' });
      expect((await finishGame(player, ticket.token, squares)).data?.finishGame.reason).toBe('too_many_games');
      await own.moveClock(60_000);
      expect((await finishGame(player, ticket.token, squares)).data?.finishGame.__typename).toBe('GameCounted');

      const report = () =>
        player.postJson('/api/player/stats', { userId: player.user.id, result: 'draw', difficulty: 'hard' });
      expect([(await report()).status, (await report()).status]).toEqual([200, 200]);
      const over = await report();
      expect([over.status, over.headers.get('retry-after')]).toEqual([429, '60']);
    } finally {
      await own.remove();
    }
  });
});
