import { isSquare, type Board, type Square } from '../../game/board.js';
import { DIFFICULTIES, type Difficulty } from '../../game/bot.js';
import { noStats } from '../../game/scoring.js';
import { roundKey } from '../playerStorage.js';
import { stored as browser } from '../ui/stored.js';
import { serverNow } from '../ui/time/clock.js';
import { inProgress, markSquare, playBotMove, startRound, type Round } from './round.js';
import type { Ticket } from './tickets/ticket.js';

/** Changes with the format. A round of another version is dropped. */
const VERSION = 1;

interface Stored {
  readonly version: typeof VERSION;
  readonly difficulty: Difficulty;
  readonly ticket: Ticket | null;
  readonly countsFrom: number | null;
  readonly practiceSeed: string;
  readonly squares: readonly Square[];
  readonly board: Board;
}

/**
 * The player's unfinished game, for a reload of this tab. It is in the tab's own storage, so that no two tabs play the
 * same ticket.
 */
export class StoredRound {
  private readonly key: string;

  constructor(
    playerId: string,
    private readonly storage: Storage = sessionStorage,
  ) {
    this.key = roundKey(playerId);
  }

  /** Stores a game in progress, and one that has a ticket before its first move: without a network there may be no other. */
  set(round: Round): void {
    try {
      if (inProgress(round) || (round.ticket && !round.game.outcome))
        this.storage.setItem(this.key, JSON.stringify(storedFrom(round)));
      else this.storage.removeItem(this.key);
    } catch {
      // Without storage, a reload begins a new game.
    }
  }

  /** Returns null when nothing valid is stored, or when the ticket has expired. */
  get(): Round | null {
    try {
      return restore(JSON.parse(this.storage.getItem(this.key) ?? 'null') as Stored | null);
    } catch {
      return null;
    }
  }
}

function storedFrom({ difficulty, ticket, countsFrom, practiceSeed, squares, game }: Round): Stored {
  return { version: VERSION, difficulty, ticket, countsFrom, practiceSeed, squares, board: game.board };
}

/** Plays the stored squares again. Other rules or another bot lead to another board, and the round is dropped. */
function restore(stored: Stored | null): Round | null {
  if (stored?.version !== VERSION || !isComplete(stored)) return null;
  const { difficulty, ticket, countsFrom, practiceSeed, squares, board } = stored;
  let round: Round = { ...startRound(difficulty, ticket, countsFrom), practiceSeed };
  for (const square of squares) round = markSquare(playBotMove(round), square, noStats);
  // The page may have been left before or after the bot's last move.
  const found = [round, playBotMove(round)].find(({ game }) => String(game.board) === String(board));
  return found && !found.game.outcome && found.squares.length === squares.length ? found : null;
}

/** Checks what the page relies on, because another version or a user can have written it. */
function isComplete({ difficulty, ticket, practiceSeed, squares }: Stored): boolean {
  const isPlayable =
    ticket === null ||
    (ticket.difficulty === difficulty &&
      [ticket.gameId, ticket.seed, ticket.token].every((text) => typeof text === 'string') &&
      Date.parse(ticket.expiresAt) > serverNow());
  return isPlayable && DIFFICULTIES.includes(difficulty) && typeof practiceSeed === 'string' && squares.every(isSquare);
}

const DIFFICULTY = 'tic-tac-toe.difficulty';

/** The difficulty that was chosen last in this browser. */
export const storedDifficulty = {
  get: (): Difficulty => DIFFICULTIES.find((difficulty) => difficulty === browser.get(DIFFICULTY)) ?? 'medium',
  set: (difficulty: Difficulty): void => browser.set(DIFFICULTY, difficulty),
};
