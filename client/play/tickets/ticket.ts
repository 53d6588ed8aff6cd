import type { Difficulty } from '../../../game/bot.js';
import { serverNow } from '../../ui/time/clock.js';

/** Lets one game count. The page sends `token` back with the finished game. */
export interface Ticket {
  readonly gameId: string;
  readonly difficulty: Difficulty;
  readonly seed: string;
  readonly token: string;
  readonly expiresAt: string;
  /** When games count again, if the day's limit was reached. Absent in tickets that older versions stored. */
  readonly countsFrom?: string | null;
}

/** The longest time that a game usually takes. */
const TIME_TO_PLAY_MS = 2 * 60_000;

export function isFresh(ticket: Ticket): boolean {
  return Date.parse(ticket.expiresAt) - serverNow() > TIME_TO_PLAY_MS;
}
