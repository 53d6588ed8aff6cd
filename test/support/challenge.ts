import { createHmac } from 'node:crypto';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import type { Result } from '../../game/rules.js';
import { Env } from '../../server/settings/env.js';
import { Keys } from '../../server/settings/keys.js';
import { squaresFor } from '../builders/finished-game.js';
import { type Server, SHARED_SECRET } from './server.js';
import { dataOf, type Visitor } from './visitor.js';

export const DAY = 24 * 60 * 60 * 1000;

/** Stops the clock of a server at noon, so that midnight is far away. @returns the UTC day */
export async function stopAtNoon(server: Server, noon: number): Promise<string> {
  await server.stopClock(noon);
  return new Date(noon).toISOString().slice(0, 10);
}

/** Gives each test of a file a day of its own from this one on, so that nobody else is in its table. */
export function daysFrom(server: Server, first: string): () => Promise<string> {
  let noon = Date.parse(`${first}T12:00:00Z`) - 3 * DAY;
  return () => stopAtNoon(server, (noon += 3 * DAY));
}

/** Moves the clock, and gives the player a new token, because the old one has expired by then. */
export async function waitAs(server: Server, player: Visitor, ms: number): Promise<void> {
  await server.moveClock(ms);
  await player.renew();
}

interface ChallengeGame {
  number: number;
  started: boolean;
  squares: number[];
  result: Result | null;
}

export interface ChallengeAnswer {
  __typename: 'ChallengePlayed' | 'ChallengeRefused';
  attempt: { day: string; games: ChallengeGame[]; totalMoves: number | null };
  botSquare?: number | null;
  result?: Result | null;
  stats?: { score: number; wins: number; losses: number; draws: number } | null;
  reason?: string;
}

export interface MyChallenge {
  attempt: ChallengeAnswer['attempt'];
  endsAt: string;
  par: number | null;
  place: number | null;
  players: number;
  run: number;
  days: { day: string; wins: number; draws: number }[];
  yesterday: { place: number; players: number } | null;
  isBetter: boolean;
  takers: { name: string; wins: number; result: Result }[];
  takersInAll: number;
}

/** The seeds that the shared server derives, for tests that want a certain end of a game. */
export function seedsOf(day: string): string[] {
  const [key] = new Keys(Object.assign(new Env(), { authSecrets: [SHARED_SECRET] })).keysFor('challenge');
  return CHALLENGE_DIFFICULTIES.map((_, at) =>
    createHmac('sha256', key)
      .update(`${day}:${at + 1}`)
      .digest('hex')
      .slice(0, 32),
  );
}

const ATTEMPT = 'attempt { day games { number started squares result } totalMoves }';
const ANSWER = `
  __typename
  ... on ChallengePlayed { ${ATTEMPT} botSquare result stats { score wins losses draws } }
  ... on ChallengeRefused { reason ${ATTEMPT} }`;

const START = `mutation ($day: String!, $game: Int!, $daredBy: ID) {
  answer: startChallengeGame(day: $day, game: $game, daredBy: $daredBy) { ${ANSWER} }
}`;
const MOVE = `mutation ($day: String!, $game: Int!, $move: Int!, $square: Int!) {
  answer: playChallengeMove(day: $day, game: $game, move: $move, square: $square) { ${ANSWER} }
}`;
const MINE = `{ myChallenge { ${ATTEMPT} endsAt par place players run days { day wins draws } yesterday { place players } isBetter
  takers { name wins result } takersInAll } }`;

export async function startChallenge(
  player: Visitor,
  day: string,
  game: number,
  daredBy?: string,
): Promise<ChallengeAnswer> {
  return dataOf(await player.graphql<{ answer: ChallengeAnswer }>(START, { day, game, daredBy })).answer;
}

export async function challengeMove(
  player: Visitor,
  day: string,
  [game, move, square]: readonly [game: number, move: number, square: number],
): Promise<ChallengeAnswer> {
  return dataOf(await player.graphql<{ answer: ChallengeAnswer }>(MOVE, { day, game, move, square })).answer;
}

export async function challengeOf(player: Visitor): Promise<MyChallenge> {
  return dataOf(await player.graphql<{ myChallenge: MyChallenge }>(MINE)).myChallenge;
}

/** Several players of a day play the same game: the search for its squares is long. */
const known = new Map<string, number[]>();

/** The player's squares of a game of this day that ends so. */
export function challengeSquares(day: string, game: number, result: Result): number[] {
  const key = `${day} ${game} ${result}`;
  const wanted = () => ({ difficulty: CHALLENGE_DIFFICULTIES[game - 1]!, seed: seedsOf(day)[game - 1]!, result });
  if (!known.has(key)) known.set(key, squaresFor(wanted()));
  return known.get(key)!;
}

/** Starts and plays the next games with these ends. @returns the answer to the last move */
export function playChallenge(
  player: Visitor,
  day: string,
  results: readonly Result[],
  first = 1,
): Promise<ChallengeAnswer> {
  const games = results.map((result, at) => challengeSquares(day, first + at, result));
  return playChallengeGames(player, day, games, first);
}

/** The same with the player's squares of each game. */
export async function playChallengeGames(
  player: Visitor,
  day: string,
  games: readonly (readonly number[])[],
  first = 1,
): Promise<ChallengeAnswer> {
  let answer: ChallengeAnswer | undefined;
  for (const [at, squares] of games.entries()) {
    const game = first + at;
    await startChallenge(player, day, game);
    for (const [index, square] of squares.entries()) {
      answer = await challengeMove(player, day, [game, index + 1, square]);
    }
  }
  return answer!;
}
