import type { Difficulty } from '../../game/bot.js';
import { ticketPrefix } from '../playerStorage.js';
import type { Ticket } from './ticket.js';
import type { Stock } from './tickets.js';

/**
 * Tickets that outlast the page: whoever opens it without a network plays the first game of each difficulty for real.
 * All tabs share them, and a ticket leaves the storage as it is taken, so that no two play with the same one.
 */
export class StoredTickets implements Stock {
  /** What the storage would not take (full, switched off): it lasts as long as the page. */
  private readonly unstored = new Map<Difficulty, Ticket>();

  constructor(
    private readonly playerId: string,
    private readonly storage: Storage = localStorage,
  ) {}

  get(difficulty: Difficulty): Ticket | undefined {
    try {
      const stored = JSON.parse(this.storage.getItem(this.key(difficulty)) ?? 'null') as Ticket | null;
      return stored ?? this.unstored.get(difficulty);
    } catch {
      return undefined;
    }
  }

  set(difficulty: Difficulty, ticket: Ticket): void {
    try {
      this.storage.setItem(this.key(difficulty), JSON.stringify(ticket));
    } catch {
      this.unstored.set(difficulty, ticket);
    }
  }

  delete(difficulty: Difficulty): void {
    this.storage.removeItem(this.key(difficulty));
    this.unstored.delete(difficulty);
  }

  private key(difficulty: Difficulty): string {
    return ticketPrefix(this.playerId) + difficulty;
  }
}
