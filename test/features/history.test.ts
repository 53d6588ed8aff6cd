import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { replay } from '../../game/replay.js';
import { finishGame, playGame, startGame } from '../support/play.js';
import { squaresFor } from '../builders/finished-game.js';
import { type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.remove());

interface CountedGame {
  id: string;
  difficulty: 'easy' | 'medium' | 'hard';
  result: string;
  source: string;
  seed: string | null;
  moves: { mark: 'X' | 'O'; square: number }[] | null;
}

const FIELDS = 'id difficulty result points bonus source seed moves { mark square }';
const gameById = async (visitor: Visitor, id: string) =>
  (await visitor.graphql<{ game: CountedGame | null }>(`query ($id: ID!) { game(id: $id) { ${FIELDS} } }`, { id })).data
    ?.game;
const lastGames = async (visitor: Visitor) =>
  (await visitor.graphql<{ myGames: CountedGame[] }>(`{ myGames { ${FIELDS} } }`)).data!.myGames;

describe('a counted game', () => {
  test('is public with its seed and moves, and replays to its result', async () => {
    const player = await aSignedInVisitor(server);
    const ticket = await startGame(player, 'medium');
    await server.moveClock(5_000);
    const squares = squaresFor({ ...ticket, result: 'win' });
    await finishGame(player, ticket.token, squares);

    const game = await gameById(new Visitor(server), ticket.gameId);
    expect(game).toMatchObject({
      id: ticket.gameId,
      difficulty: 'medium',
      result: 'win',
      source: 'verified',
      seed: ticket.seed,
    });
    const own = game!.moves!.filter(({ mark }) => mark === 'X').map(({ square }) => square);
    expect(own).toEqual(squares);
    const replayed = replay({ difficulty: 'medium', seed: game!.seed!, squares: own });
    expect(replayed.ok && replayed.game.moves).toEqual(game!.moves);
  });

  test('has neither seed nor moves if it was reported', async () => {
    const player = await aSignedInVisitor(server);
    await player.postJson('/api/player/stats', { userId: player.user.id, result: 'win', difficulty: 'hard' });
    const [game] = await lastGames(player);
    expect(game).toMatchObject({ source: 'reported', result: 'win', seed: null, moves: null });
  });

  test('is null for an unknown id, and a malformed id is rejected', async () => {
    const visitor = new Visitor(server);
    expect(await gameById(visitor, randomUUID())).toBeNull();
    const { errors } = await visitor.graphql('{ game(id: "7") { id } }');
    expect(errors?.[0]).toMatchObject({
      message: 'id must be the id of a game',
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });
});

describe("a player's last games", () => {
  test('are only their own, the newest first', async () => {
    const [player, other] = [await aSignedInVisitor(server), await aSignedInVisitor(server)];
    await playGame(server, other, { result: 'lose' });
    await playGame(server, player, { result: 'win' });
    await playGame(server, player, { result: 'draw', difficulty: 'hard' });
    expect((await lastGames(player)).map(({ result }) => result)).toEqual(['draw', 'win']);
  });

  test('need a token', async () => {
    const { errors } = await new Visitor(server).graphql('{ myGames { id } }');
    expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });
});
