import type { Square } from '../../game/board.js';
import { botSquare, type Difficulty } from '../../game/bot.js';
import { newGame, play, type Game } from '../../game/rules.js';
import { addResult, type Stats } from '../../game/scoring.js';
import { isFresh, type Ticket } from './tickets/ticket.js';

/** One game on the page: the rules' game with its ticket and display state. Immutable. */
export interface Round {
  readonly difficulty: Difficulty;
  readonly game: Game;
  /** The player's squares in order, from which the server replays the game. */
  readonly squares: readonly Square[];
  readonly lastSquare: Square | null;
  /** Null in a practice game. */
  readonly ticket: Ticket | null;
  /** When games count again, if the day's limit makes this a practice game. Milliseconds since the epoch. */
  readonly countsFrom: number | null;
  /** The bot's seed in a game without a ticket. */
  readonly practiceSeed: string;
  /** True for the third win in a row, according to the stats on this page. */
  readonly bonus: boolean;
}

export function startRound(difficulty: Difficulty, ticket: Ticket | null, countsFrom: number | null = null): Round {
  const practiceSeed = crypto.randomUUID();
  return { difficulty, game: newGame(), squares: [], lastSquare: null, ticket, countsFrom, practiceSeed, bonus: false };
}

/** Returns the round after the player's mark, or the same round if the mark is not allowed. */
export function markSquare(round: Round, square: Square, before: Stats): Round {
  if (round.game.turn !== 'X') return round;
  const played = play(round.game, square);
  if (!played.ok) return round;
  const { game } = played;
  const { ticket, difficulty } = round;
  // A practice game earns no bonus.
  const bonus = Boolean(ticket && game.outcome && addResult(before, game.outcome.result, difficulty).bonus);
  return { ...round, game, squares: [...round.squares, square], lastSquare: square, bonus };
}

export function playBotMove(round: Round): Round {
  if (round.game.turn !== 'O') return round;
  const { difficulty, game, ticket, practiceSeed } = round;
  const square = botSquare({ board: game.board, difficulty, seed: ticket?.seed ?? practiceSeed });
  const played = play(game, square);
  return played.ok ? { ...round, game: played.game, lastSquare: square } : round;
}

/** The ticket can change until the bot's first move, which uses its seed. */
export function canChangeTicket(round: Round): boolean {
  return !round.game.board.includes('O');
}

export function wantsTicket(round: Round): boolean {
  return canChangeTicket(round) && (!round.ticket || (round.squares.length === 0 && !isFresh(round.ticket)));
}

/** True while the board has marks and the game is not over. The difficulty is then locked. */
export function inProgress({ game }: Round): boolean {
  return game.outcome === null && game.board.some((mark) => mark !== null);
}
