import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { isSquare, type Board, type Square } from '../../game/board.js';
import { DIFFICULTIES, botSquare, type Difficulty } from '../../game/bot.js';
import { newGame, play, type Game } from '../../game/rules.js';
import { addResult, noStats, type Stats } from '../../game/scoring.js';
import { marked, RESULTS, TURNS, UNSCORED } from '../messages/words.js';
import { roundKey } from '../data/playerStorage.js';
import { fromJson, isLike, stored as browser, storedInTab } from '../ui/stored.js';
import { serverNow } from '../ui/time/clock.js';
import { isFresh, type Ticket, TICKET } from './tickets.js';

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
  // Not randomUUID, which exists only over https.
  const practiceSeed = crypto.getRandomValues(new Uint32Array(4)).join();
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

export function resultText({ game, ticket }: Round): string | null {
  return game.outcome && i18n._((ticket ? RESULTS : UNSCORED)[game.outcome.result]);
}

/**
 * Describes a step for screen readers: the move, then the turn or the result. It is one text, because a second
 * announcement would interrupt the first. Null when nothing has changed.
 */
export function announce(before: Round, after: Round): string | null {
  const { game, bonus } = after;
  // The server can report the bonus after the game.
  if (game === before.game) return bonus && !before.bonus ? t`🎉 3 WINS IN A ROW! +1 BONUS POINT!` : null;
  return [announceMove(after), end(after)].join(' ');
}

export function announceMove({ game, lastSquare }: Round): string {
  return lastSquare === null ? t`New game.` : marked(game.board[lastSquare], lastSquare);
}

function end(round: Round): string {
  const { game, bonus } = round;
  if (game.turn) return i18n._(TURNS[game.turn]);
  return [resultText(round), bonus && t`🎉 3 WINS IN A ROW! +1 BONUS POINT!`].filter(Boolean).join(' ');
}

/** Changes with the format. A round of another version is dropped. */
const VERSION = 1;

/** What restores a round, and the board to compare it with. */
interface Stored extends Pick<Round, 'difficulty' | 'ticket' | 'countsFrom' | 'practiceSeed' | 'squares'> {
  readonly version: typeof VERSION;
  readonly board: Board;
}

/**
 * Stores the player's unfinished game for a reload of this tab, and one that has a ticket before its first move: without a network
 * there may be no other. It is in the tab's own storage, so that no two tabs play the same ticket.
 * @param playerId null for the trial game
 */
export function storeRound(playerId: string | null, round: Round): void {
  const { difficulty, ticket, countsFrom, practiceSeed, squares, game } = round;
  const { board } = game;
  const stored: Stored = { version: VERSION, difficulty, ticket, countsFrom, practiceSeed, squares, board };
  const isNeeded = inProgress(round) || (ticket && !game.outcome);
  storedInTab.set(roundKey(playerId), isNeeded ? JSON.stringify(stored) : null);
}

/** Returns null when nothing valid is stored, or when the ticket has expired. */
export function restoredRound(playerId: string | null): Round | null {
  try {
    return restore(fromJson<Stored>(storedInTab.get(roundKey(playerId)), { practiceSeed: '', squares: [] }));
  } catch {
    return null;
  }
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
function isComplete({ difficulty, ticket, countsFrom, squares }: Stored): boolean {
  const isPlayable =
    ticket === null ||
    (ticket.difficulty === difficulty && isLike(ticket, TICKET) && Date.parse(ticket.expiresAt) > serverNow());
  const isDated = countsFrom === null || Number.isFinite(countsFrom);
  return isPlayable && isDated && DIFFICULTIES.includes(difficulty) && squares.every(isSquare);
}

const DIFFICULTY = 'tic-tac-toe.difficulty';

export const storedDifficulty = {
  get: (): Difficulty => DIFFICULTIES.find((difficulty) => difficulty === browser.get(DIFFICULTY)) ?? 'medium',
  set: (difficulty: Difficulty) => browser.set(DIFFICULTY, difficulty),
};
