import type { Square } from '../../game/board.js';
import { newGame, play, type Game } from '../../game/rules.js';
import type { ChallengeGamesFragment } from '../graphql/generated.js';

export type ChallengeGame = ChallengeGamesFragment['games'][number];

/** A move of the player that the server has not answered yet. */
export interface PendingMove {
  readonly day: string;
  readonly game: number;
  /** The number of the player's own move, from 1. */
  readonly move: number;
  readonly square: Square;
}

/** The game on the board, with the player's mark that waits for an answer. */
export function boardOf({ number, squares }: ChallengeGame, pending: PendingMove | null): Game {
  const all = pending?.game === number ? [...squares, pending.square] : squares;
  return all.reduce((game, square) => {
    const played = play(game, square);
    return played.ok ? played.game : game;
  }, newGame());
}

/** The player's next move on this square; null where it is not allowed. */
export function nextMove(day: string, game: ChallengeGame, square: Square): PendingMove | null {
  const before = boardOf(game, null);
  if (before.turn !== 'X' || !play(before, square).ok) return null;
  return { day, game: game.number, move: Math.floor(game.squares.length / 2) + 1, square };
}

export function isUnderWay({ started, result }: ChallengeGame): boolean {
  return started && result === null;
}

export function isBegun({ games }: ChallengeGamesFragment): boolean {
  return games.some(({ started }) => started);
}

export function isDone({ games }: ChallengeGamesFragment): boolean {
  return games.every(({ result }) => result !== null);
}

/** The attempt with more moves. A late answer to an earlier request must not take a move back. */
export function newest(one: ChallengeGamesFragment, other: ChallengeGamesFragment | null): ChallengeGamesFragment {
  return other?.day === one.day && progressOf(other) > progressOf(one) ? other : one;
}

function progressOf({ games }: ChallengeGamesFragment): number {
  return games.reduce((sum, { started, squares }) => sum + (started ? 1 : 0) + squares.length, 0);
}

export function statesOf({ games }: ChallengeGamesFragment) {
  return games.map((game) => (isUnderWay(game) ? 'underWay' : game.result));
}

/** The game to start next; undefined while one is under way, and after the last. */
export function gameToStart(games: readonly ChallengeGame[]): ChallengeGame | undefined {
  return games.some(isUnderWay) ? undefined : games.find(({ started }) => !started);
}
