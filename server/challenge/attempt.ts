import { isSquare, type Square } from '../../game/board.js';
import { botSquare } from '../../game/bot.js';
import { CHALLENGE_DIFFICULTIES, CHALLENGE_GAMES, countedMoves } from '../../game/challenge.js';
import { type Game, newGame, play, type Result } from '../../game/rules.js';
import type { Attempt } from './attempt.entity.js';

/** A move of the player. Games and moves are numbered from 1; `move` counts only the player's own. */
export interface PlayerMove {
  readonly game: number;
  readonly move: number;
  readonly square: number;
}

type MoveRefusal = 'game_not_started' | 'game_over' | 'move_out_of_order' | 'other_square_played' | 'illegal_move';

/** `repeated` gives the answer of the first time. The bot has no square after the player's last move. */
export type Played =
  | { readonly status: 'played'; readonly attempt: Attempt; readonly answer: BotAnswer }
  | { readonly status: 'repeated'; readonly answer: BotAnswer }
  | { readonly status: 'refused'; readonly reason: MoveRefusal };

export interface BotAnswer {
  readonly botSquare: Square | null;
  /** Null while the game continues. */
  readonly result: Result | null;
}

/** Plays the square, and the bot's answer from the seed of the game. A repeated move changes nothing. */
export function playSquare(attempt: Attempt, { game: number, move, square }: PlayerMove, seed: string): Played {
  const squares = attempt.games[number - 1];
  if (squares === undefined) return { status: 'refused', reason: 'game_not_started' };
  const at = 2 * (move - 1);
  if (at < squares.length) {
    if (Number(squares[at]) !== square) return { status: 'refused', reason: 'other_square_played' };
    return { status: 'repeated', answer: answerIn(squares, at) };
  }
  const before = gameAfter(squares);
  if (before.outcome) return { status: 'refused', reason: 'game_over' };
  if (at > squares.length) return { status: 'refused', reason: 'move_out_of_order' };

  const marked = play(before, square);
  if (!marked.ok) return { status: 'refused', reason: 'illegal_move' };
  let played = `${squares}${square}`;
  if (!marked.game.outcome) {
    const { board } = marked.game;
    played += String(botSquare({ board, difficulty: CHALLENGE_DIFFICULTIES[number - 1]!, seed }));
  }
  const answer = answerIn(played, at);
  return { status: 'played', attempt: withGame(attempt, number, played, answer.result), answer };
}

function answerIn(squares: string, at: number): BotAnswer {
  const bot = squares[at + 1];
  return {
    botSquare: bot === undefined ? null : (Number(bot) as Square),
    result: resultOf(squares.slice(0, at + 2)),
  };
}

function withGame(attempt: Attempt, number: number, squares: string, result: Result | null): Attempt {
  const finished = attempt.finished + (result ? 1 : 0);
  const games = attempt.games.with(number - 1, squares);
  return {
    ...attempt,
    games,
    totalMoves: totalMovesOf(games),
    finished,
    wins: attempt.wins + (result === 'win' ? 1 : 0),
    draws: attempt.draws + (result === 'draw' ? 1 : 0),
    closed: attempt.closed || finished === CHALLENGE_GAMES,
  };
}

/** The moves of an attempt with these games. A game that is not won counts the most that a game can have. */
function totalMovesOf(games: readonly string[]): number {
  return CHALLENGE_DIFFICULTIES.reduce((sum, _, at) => {
    const squares = games[at] ?? '';
    return sum + countedMoves(squares, resultOf(squares));
  }, 0);
}

/** The result of a game with these squares; null while it continues. */
export function resultOf(squares: string): Result | null {
  return gameAfter(squares).outcome?.result ?? null;
}

export function squaresOf(squares: string): Square[] {
  return [...squares].map(Number).filter(isSquare);
}

function gameAfter(squares: string): Game {
  return squaresOf(squares).reduce((game, square) => {
    const played = play(game, square);
    if (!played.ok) throw new Error(`The stored game ${squares} breaks the rules`);
    return played.game;
  }, newGame());
}
