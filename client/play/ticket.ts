import type { Difficulty } from '../../game/bot.js';
import { serverNow } from '../ui/clock.js';

/** The server's leave to play one game that counts. `token` is what it wants to see again with the finished game. */
export interface Ticket {
  readonly gameId: string;
  readonly difficulty: Difficulty;
  readonly seed: string;
  readonly token: string;
  readonly expiresAt: string;
}

/** A game takes a minute, perhaps two: a ticket that runs out sooner is not worth starting with. */
const TIME_TO_PLAY_MS = 2 * 60_000;

export function isFresh(ticket: Ticket): boolean {
  return Date.parse(ticket.expiresAt) - serverNow() > TIME_TO_PLAY_MS;
}
