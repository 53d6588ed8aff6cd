import type { Difficulty } from '../../../game/bot.js';
import { ticketPrefix } from '../../playerStorage.js';
import type { Ticket } from './ticket.js';

/**
 * Stores one ticket of each difficulty, so that the first games without a network still count. All tabs share them;
 * taking a ticket removes it, so that no two games use the same one.
 */
export class StoredTickets {
  /** Tickets that the storage rejected. They last as long as the page. */
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
