import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { replay } from '../../game/replay.js';
import { finishGame, startGame } from '../support/play.js';
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
const GAME = `query ($playerId: ID!, $id: ID!) { game(playerId: $playerId, id: $id) { ${FIELDS} } }`;
const gameById = async (visitor: Visitor, playerId: string, id: string) =>
  (await visitor.graphql<{ game: CountedGame | null }>(GAME, { playerId, id })).data?.game;
const lastGames = async (visitor: Visitor) =>
  (
    await visitor.graphql<{ me: { games: { edges: { node: CountedGame }[] } } }>(
      `{ me { games { edges { node { ${FIELDS} } } } } }`,
    )
  ).data!.me.games.edges.map(({ node }) => node);

describe('a counted game', () => {
  test('is public with its seed and moves, and replays to its result', async () => {
    const player = await aSignedInVisitor(server);
    const ticket = await startGame(player, 'medium');
    await server.moveClock(5_000);
    const squares = squaresFor({ ...ticket, result: 'win' });
    await finishGame(player, ticket.token, squares);

    const game = await gameById(new Visitor(server), player.user.id, ticket.gameId);
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
    const known = randomUUID();
    expect(await gameById(visitor, known, randomUUID())).toBeNull();
    for (const [name, ids] of [
      ['playerId', { playerId: '7', id: known }],
      ['id', { playerId: known, id: '7' }],
    ] as const) {
      const { errors } = await visitor.graphql(GAME, ids);
      expect(errors?.[0]).toMatchObject({
        message: `${name} must be a UUID`,
        extensions: { code: 'BAD_USER_INPUT' },
      });
    }
  });
});
