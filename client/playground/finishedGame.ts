import { emptySquares } from '../../game/board.js';
import type { Board, Square } from '../../game/board.js';
import { botSquare, BOT_MOVE_DELAY, DIFFICULTIES } from '../../game/bot.js';
import type { Difficulty } from '../../game/bot.js';
import { newGame, play } from '../../game/rules.js';
import type { Game, Result } from '../../game/rules.js';

/** The part of a `startGame` answer that a game needs. */
export interface Ticket {
  readonly token: string;
  readonly seed: string;
  readonly difficulty: Difficulty;
  /** When the answer arrived, by `performance.now()`. */
  readonly receivedAt: number;
}

export interface FinishedGame {
  /** The player's squares in order. */
  readonly squares: readonly Square[];
  readonly result: Result;
  /** The duration of the bot's moves in milliseconds. `finishGame` refuses a faster game. */
  readonly duration: number;
}

/** Reads the ticket from an answer to `startGame`; null when its token, seed or difficulty is missing. */
export function readTicket(answer: unknown, receivedAt: number): Ticket | null {
  const {
    token,
    seed,
    difficulty: name,
  } = (answer as { data?: { startGame?: Record<string, unknown> | null } | null }).data?.startGame ?? {};
  const difficulty = DIFFICULTIES.find((known) => known === name);
  if (typeof token !== 'string' || typeof seed !== 'string' || !difficulty) return null;
  return { token, seed, difficulty, receivedAt };
}

/**
 * Plays a whole game against the ticket's bot. It prefers a draw, so that the example does not change the score.
 */
export function playToTheEnd({ seed, difficulty }: Pick<Ticket, 'seed' | 'difficulty'>): FinishedGame {
  const answer = (board: Board) => botSquare({ board, seed, difficulty });
  let found: FinishedGame | undefined;
  for (found of finishedGames(newGame(), [], answer)) if (found.result === 'draw') break;
  if (!found) throw new Error('A game ends after nine marks at most');
  return found;
}

function* finishedGames(
  game: Game,
  squares: readonly Square[],
  answer: (board: Board) => Square,
): Generator<FinishedGame> {
  if (game.outcome) {
    const botMoves = game.board.filter((mark) => mark === 'O').length;
    yield { squares, result: game.outcome.result, duration: botMoves * BOT_MOVE_DELAY };
    return;
  }
  for (const square of emptySquares(game.board)) {
    const mine = mark(game, square);
    const next = mine.outcome ? mine : mark(mine, answer(mine.board));
    yield* finishedGames(next, [...squares, square], answer);
  }
}

function mark(game: Game, square: Square): Game {
  const played = play(game, square);
  // Both players use empty squares only.
  if (!played.ok) throw new Error(played.reason);
  return played.game;
}
