import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { squaresFor } from '../builders/finished-game.js';
import type { Server } from './server.js';
import { dataOf, type GraphQLAnswer, type Visitor } from './visitor.js';

export interface Ticket {
  gameId: string;
  difficulty: Difficulty;
  seed: string;
  token: string;
  expiresAt: string;
  counts: boolean;
  countsFrom: string | null;
  gamesPerDay: number;
}

export interface FinishGameAnswer {
  __typename: 'GameCounted' | 'GameRefused';
  game?: { id: string; difficulty: Difficulty; result: Result; points: number; bonus: boolean; finishedAt: string };
  stats?: Record<string, number | string>;
  reason?: string;
  message?: string;
  countsFrom?: string | null;
  gamesPerDay: number;
}

/** These numbers of the player, as the server has them. */
export const statsOf = async (player: Visitor, fields = 'score winStreak wins losses draws') =>
  (await player.graphql<{ me: { stats: Record<string, number | undefined> } }>(`{ me { stats { ${fields} } } }`)).data!
    .me.stats;

export async function startGame(visitor: Visitor, difficulty: Difficulty): Promise<Ticket> {
  const answer = await visitor.graphql<{ startGame: Ticket }>(
    `mutation ($difficulty: Difficulty!) {
      startGame(difficulty: $difficulty) { gameId difficulty seed token expiresAt counts countsFrom gamesPerDay }
    }`,
    { difficulty },
  );
  return dataOf(answer).startGame;
}

export const FINISH_GAME = `
  mutation ($ticket: String!, $squares: [Int!]!) {
    finishGame(ticket: $ticket, squares: $squares) {
      __typename
      ... on GameCounted {
        game { id difficulty result points bonus finishedAt }
        stats { playerId score winStreak wins losses draws easyWins mediumWins hardWins }
        countsFrom
        gamesPerDay
      }
      ... on GameRefused { reason message countsFrom gamesPerDay }
    }
  }`;

export function finishGame(
  visitor: Visitor,
  ticket: string,
  squares: readonly number[],
): Promise<GraphQLAnswer<{ finishGame: FinishGameAnswer }>> {
  return visitor.graphql(FINISH_GAME, { ticket, squares });
}

/** A won game of a person's time that is not sent yet. */
export async function aReadyWin(server: Server, player: Visitor) {
  const ticket = await startGame(player, 'easy');
  await server.moveClock(5_000);
  const squares = squaresFor({ ...ticket, result: 'win' });
  return { ticket, squares, finish: () => finishGame(player, ticket.token, squares) };
}

/** Plays a game in a person's time, and has it counted. */
export async function playGame(
  server: Server,
  visitor: Visitor,
  { result, difficulty = 'easy' }: { result: Result; difficulty?: Difficulty },
): Promise<FinishGameAnswer> {
  const ticket = await startGame(visitor, difficulty);
  await server.moveClock(5_000);
  return dataOf(await finishGame(visitor, ticket.token, squaresFor({ ...ticket, result }))).finishGame;
}
