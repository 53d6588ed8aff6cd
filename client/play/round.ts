import type { Square } from '../../game/board.js';
import { botSquare } from '../../game/bot.js';
import type { Difficulty } from '../../game/bot.js';
import { newGame, play } from '../../game/rules.js';
import type { Game } from '../../game/rules.js';
import { addResult } from '../../game/scoring.js';
import type { Stats } from '../../game/scoring.js';
import { isFresh } from './ticket.js';
import type { Ticket } from './ticket.js';

/** One game on the page: the rules' game and what this page knows about it besides. Never changed in place. */
export interface Round {
  readonly difficulty: Difficulty;
  readonly game: Game;
  /** The player's own squares in order: all that the server needs to replay the game. */
  readonly squares: readonly Square[];
  readonly lastSquare: Square | null;
  /** Without one the game is practice. */
  readonly ticket: Ticket | null;
  /** Practice because today's games are used up: from when games count again, milliseconds since the epoch. */
  readonly countsFrom: number | null;
  /** What the bot's chance comes from while there is no ticket with a seed. */
  readonly practiceSeed: string;
  /** The third win in a row, as far as this page knows. */
  readonly bonus: boolean;
}

export function startRound(difficulty: Difficulty, ticket: Ticket | null, countsFrom: number | null = null): Round {
  const practiceSeed = crypto.randomUUID();
  return { difficulty, game: newGame(), squares: [], lastSquare: null, ticket, countsFrom, practiceSeed, bonus: false };
}

/** The round after the player's mark, or the same round when the mark is not allowed now. */
export function markSquare(round: Round, square: Square, before: Stats): Round {
  if (round.game.turn !== 'X') return round;
  const played = play(round.game, square);
  if (!played.ok) return round;
  const { game } = played;
  const { ticket, difficulty } = round;
  // Practice adds nothing up.
  const bonus = Boolean(ticket && game.outcome && addResult(before, game.outcome.result, difficulty).bonus);
  return { ...round, game, squares: [...round.squares, square], lastSquare: square, bonus };
}

export function answerOfBot(round: Round): Round {
  if (round.game.turn !== 'O') return round;
  const { difficulty, game, ticket, practiceSeed } = round;
  const square = botSquare({ board: game.board, difficulty, seed: ticket?.seed ?? practiceSeed });
  const played = play(game, square);
  return played.ok ? { ...round, game: played.game, lastSquare: square } : round;
}

/** Until the bot's first answer nothing depends on the ticket, so a better one can still take its place. */
export function canChangeTicket(round: Round): boolean {
  return !round.game.board.includes('O');
}

export function wantsTicket(round: Round): boolean {
  return canChangeTicket(round) && (!round.ticket || (round.squares.length === 0 && !isFresh(round.ticket)));
}

/** Marks on the board and not over: the difficulty is locked. */
export function inProgress({ game }: Round): boolean {
  return game.outcome === null && game.board.some((mark) => mark !== null);
}
