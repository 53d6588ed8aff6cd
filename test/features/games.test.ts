import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { replay } from '../../game/replay.js';
import { squaresFor } from '../builders/finished-game.js';
import { finishGame, playGame, startGame, statsOf } from '../support/play.js';
import { aServer } from '../support/server.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

const server = aServer();
beforeAll(async () => {
  await server.stopClock();
});

describe('a verified game', () => {
  test("counts with the result of the server's replay, at every difficulty, and the third win in a row has a bonus", async () => {
    const player = await aSignedInVisitor(server);
    const games = [];
    for (const [result, difficulty] of [
      ['win', 'easy'],
      ['win', 'medium'],
      ['win', 'easy'],
      ['draw', 'hard'],
      ['lose', 'hard'],
    ] as const) {
      const { game, stats } = await playGame(server, player, { result, difficulty });
      expect([game, stats]).toMatchObject([{ result, difficulty }, { playerId: player.user.id }]);
      games.push([game!.points, game!.bonus, stats!.winStreak, stats!.score]);
    }
    expect(games).toEqual([
      [1, false, 1, 1],
      [1, false, 2, 2],
      [2, true, 0, 4],
      [0, false, 0, 4],
      [-1, false, 0, 3],
    ]);
    const wins = { wins: 3, easyWins: 2, mediumWins: 1, hardWins: 0 };
    expect(await statsOf(player, 'score winStreak wins losses draws easyWins mediumWins hardWins')).toEqual({
      score: 3,
      winStreak: 0,
      losses: 1,
      draws: 1,
      ...wins,
    });
  });
});

const FIELDS = 'id difficulty result source seed moves { mark square }';
const GAME = `query ($playerId: ID!, $id: ID!) { game(playerId: $playerId, id: $id) { ${FIELDS} } }`;
interface Game {
  seed: string;
  moves: { mark: 'X' | 'O'; square: number }[];
}

describe('a counted game', () => {
  test('is public with its seed and moves, and replays to its result', async () => {
    const player = await aSignedInVisitor(server);
    const { gameId: id, seed, token } = await startGame(player, 'medium');
    await server.moveClock(5_000);
    const squares = squaresFor({ difficulty: 'medium', seed, result: 'win' });
    await finishGame(player, token, squares);

    const { data } = await new Visitor(server).graphql<{ game: Game }>(GAME, { playerId: player.user.id, id });
    const { game } = data!;
    expect(game).toMatchObject({ id, difficulty: 'medium', result: 'win', source: 'verified', seed });
    const own = game.moves.filter(({ mark }) => mark === 'X').map(({ square }) => square);
    expect(own).toEqual(squares);
    const replayed = replay({ difficulty: 'medium', seed, squares: own });
    expect(replayed.ok && replayed.game.moves).toEqual(game.moves);
  });

  test('is null for an unknown id, and a malformed id is rejected', async () => {
    const visitor = new Visitor(server);
    const known = { playerId: randomUUID(), id: randomUUID() };
    expect((await visitor.graphql(GAME, known)).data).toEqual({ game: null });
    for (const name of ['playerId', 'id']) {
      const { errors } = await visitor.graphql(GAME, { ...known, [name]: '7' });
      expect(errors).toMatchObject([{ message: `${name} must be a UUID.`, extensions: { code: 'BAD_USER_INPUT' } }]);
    }
  });
});
