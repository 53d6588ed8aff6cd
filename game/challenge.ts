import { SQUARES } from './board.js';
import type { Square } from './board.js';
import { botSquare } from './bot.js';
import type { Difficulty } from './bot.js';
import { newGame, play } from './rules.js';
import type { Game, Result } from './rules.js';

/** The games of a day's challenge in their order. */
export const CHALLENGE_DIFFICULTIES = Object.freeze([
  'easy',
  'easy',
  'medium',
  'medium',
  'hard',
] as const satisfies Difficulty[]);

export const CHALLENGE_GAMES = CHALLENGE_DIFFICULTIES.length;

/** The X's of the longest game. */
export const MOST_MOVES = Math.ceil(SQUARES.length / 2);

/**
 * What a game of the challenge adds to the player's moves. A win counts its X's, and every other game the most that a game can
 * have: nobody gains by a quick loss or by leaving a game.
 * @param squares the squares of both sides in order
 */
export function countedMoves(squares: { readonly length: number }, result: Result | null): number {
  return result === 'win' ? Math.ceil(squares.length / 2) : MOST_MOVES;
}

/** The numbers that decide who is better. */
export interface ChallengeResult {
  readonly wins: number;
  readonly draws: number;
  readonly totalMoves: number;
}

/** By wins, then draws, then the fewest moves: below 0 when `one` is better. */
export function compareResults(one: ChallengeResult, other: ChallengeResult): number {
  return other.wins - one.wins || other.draws - one.draws || one.totalMoves - other.totalMoves;
}

/** The fewest moves of all ways to play these five games with as many wins, and then draws, as their seeds allow. */
export function parOf(seeds: readonly string[]): number {
  const games = CHALLENGE_DIFFICULTIES.map((difficulty, at) =>
    fewestMoves(newGame(), { difficulty, seed: seeds[at]! }),
  );
  return games.reduce((sum, moves) => sum + moves, 0);
}

/** `move` is the number of the player's next move. Lines that are no shorter than a known one are not tried. */
function fewestMoves(game: Game, bot: { difficulty: Difficulty; seed: string }, move = 1, known = MOST_MOVES): number {
  return SQUARES.reduce((fewest, square) => {
    const marked = move < fewest && next(game, square);
    if (!marked) return fewest;
    if (marked.outcome?.result === 'win') return move;
    const answered = move + 1 < fewest && next(marked, botSquare({ board: marked.board, ...bot }));
    return answered && !answered.outcome ? fewestMoves(answered, bot, move + 1, fewest) : fewest;
  }, known);
}

function next(game: Game, square: Square): Game | null {
  const played = play(game, square);
  return played.ok ? played.game : null;
}
