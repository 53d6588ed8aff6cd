import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { DIFFICULTIES, type Difficulty } from '../../game/bot.js';
import { StartGameDocument, type StartGameMutation } from '../graphql/generated.js';
import { ticketPrefix } from '../data/playerStorage.js';
import { listen, Listeners } from '../ui/listen.js';
import { fromJson, stored } from '../ui/stored.js';
import { serverNow, useNow } from '../ui/time/clock.js';

/** Lets one game count. The page sends `token` back with the finished game. */
export type Ticket = Omit<StartGameMutation['startGame'], '__typename'>;

/** What the page needs of a stored one. */
export const TICKET = { gameId: '', seed: '', token: '', expiresAt: '' };

/** The longest time that a game usually takes. */
const TIME_TO_PLAY_MS = 2 * 60_000;

export function isFresh(ticket: Ticket): boolean {
  return Date.parse(ticket.expiresAt) - serverNow() > TIME_TO_PLAY_MS;
}

/**
 * Stores one ticket of each difficulty, so that the first games without a network still count. All tabs share them;
 * taking a ticket removes it, so that no two games use the same one.
 */
export const storedTickets = (playerId: string) => ({
  get: (difficulty: Difficulty) => fromJson<Ticket>(stored.get(ticketPrefix(playerId) + difficulty), TICKET),
  set: (difficulty: Difficulty, ticket: Ticket | null) =>
    void stored.set(ticketPrefix(playerId) + difficulty, ticket && JSON.stringify(ticket)),
});

export type FetchTicket = (difficulty: Difficulty) => Promise<Ticket | null>;

const RETRY_MS = 10_000;

/**
 * Prefetches one ticket of each difficulty, so that New Game never waits for the network. Taking a ticket fetches the
 * next one.
 */
export class Tickets {
  private readonly pending = new Set<Difficulty>();
  private readonly failed = new Set<Difficulty>();
  private readonly subscribers = new Listeners();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private version = 0;

  constructor(
    private readonly fetchTicket: FetchTicket,
    private readonly stock: ReturnType<typeof storedTickets>,
    private readonly limit: DayLimit,
  ) {}

  readonly subscribe = this.subscribers.add;

  /** Changes with every change of the tickets. */
  readonly getVersion = (): number => this.version;

  /** Whether a first request for a ticket is pending. */
  isComing(difficulty: Difficulty): boolean {
    return this.pending.has(difficulty) && !this.failed.has(difficulty);
  }

  /** False while the day's limit is reached. The tickets then stay for the next day. */
  has(difficulty: Difficulty): boolean {
    if (this.limit.getCountsFrom()) return false;
    const ticket = this.stock.get(difficulty);
    return ticket !== null && isFresh(ticket);
  }

  take(difficulty: Difficulty): Ticket | null {
    const ticket = this.has(difficulty) ? this.stock.get(difficulty) : null;
    this.stock.set(difficulty, null);
    void this.fetchAhead(difficulty);
    return ticket;
  }

  /** Returns the ticket of a game without a bot move, which stays usable. */
  giveBack(ticket: Ticket): void {
    if (!this.has(ticket.difficulty)) this.stock.set(ticket.difficulty, ticket);
  }

  /** Fetches the missing tickets, starting with the difficulty that is needed now. */
  async stockUp(first: Difficulty): Promise<void> {
    this.closed = false;
    await this.fetchAhead(first);
    for (const difficulty of DIFFICULTIES) await this.fetchAhead(difficulty);
  }

  /** Stops all retries, including those of a pending request, until the next call of `stockUp`. */
  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
  }

  private async fetchAhead(difficulty: Difficulty): Promise<void> {
    if (!this.has(difficulty)) await this.fetchTicketFor(difficulty);
  }

  /** Fetches a ticket even if one is stored, because the answer also tells whether games still count. */
  async fetchTicketFor(difficulty: Difficulty): Promise<void> {
    if (this.pending.has(difficulty)) return;
    this.pending.add(difficulty);
    this.notify();
    const ticket = await this.fetchTicket(difficulty);
    this.pending.delete(difficulty);
    // Discard a late ticket: signing out has cleared the others.
    if (this.closed) return;
    if (ticket) {
      this.stock.set(difficulty, ticket);
      this.failed.delete(difficulty);
      this.limit.set(ticket);
    } else {
      this.failed.add(difficulty);
      clearTimeout(this.retry);
      this.retry = setTimeout(() => void this.stockUp(difficulty), RETRY_MS);
    }
    this.notify();
  }

  private notify(): void {
    this.version += 1;
    this.subscribers.tell();
  }
}

/** Prefetches tickets. A failed request is not an error: the game is then a practice game. */
export function useTickets(playerId: string, first: Difficulty, limit: DayLimit): Tickets {
  const client = useApolloClient();
  const [tickets] = useState(() => {
    const fetchTicket: FetchTicket = async (difficulty) => {
      const answer = await client.mutate({ mutation: StartGameDocument, variables: { difficulty } }).catch(() => null);
      return answer?.data?.startGame ?? null;
    };
    return new Tickets(fetchTicket, storedTickets(playerId), limit);
  });
  useSyncExternalStore(tickets.subscribe, tickets.getVersion);

  useEffect(() => {
    const stockUp = () => void tickets.stockUp(first);
    stockUp();
    // Games on another device may have reached the day's limit meanwhile.
    const onVisibilityChange = () => void (document.hidden || tickets.fetchTicketFor(first));
    const listeners = [listen(window, 'online', stockUp), listen(document, 'visibilitychange', onVisibilityChange)];
    return () => {
      listeners.forEach((stop) => stop());
      tickets.close();
    };
    // `first` only sets the order of the first requests.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [tickets]);

  return tickets;
}

/** What the server tells of the day's limit with every ticket and every answer to a game. */
type ToldLimit = Pick<Ticket, 'countsFrom' | 'gamesPerDay'>;

/**
 * How many games count in a day, and when games count again after the player has reached that. The browser stores the
 * server's last answer for all tabs and for pages without a network.
 */
export class DayLimit {
  private readonly subscribers = new Listeners();
  readonly subscribe = this.subscribers.add;

  constructor(private readonly playerId: string) {}

  get gamesPerDay(): number {
    return this.told.gamesPerDay;
  }

  /** Milliseconds since the epoch, by the server's clock. Null while games count. */
  readonly getCountsFrom = (): number | null => {
    const until = Date.parse(this.told.countsFrom ?? '');
    return until > serverNow() ? until : null;
  };

  set({ countsFrom, gamesPerDay }: ToldLimit): void {
    stored.set(this.key, JSON.stringify({ countsFrom, gamesPerDay }));
    this.tell();
  }

  readonly tell = (): void => this.subscribers.tell();

  private get key(): string {
    return `${ticketPrefix(this.playerId)}limit`;
  }

  private get told(): ToldLimit {
    return fromJson<ToldLimit>(stored.get(this.key), { gamesPerDay: 0 }) ?? { countsFrom: null, gamesPerDay: 0 };
  }
}

/** Returns the day's limit and, when it is reached, the time from which games count again. */
export function useDayLimit(playerId: string): [DayLimit, number | null] {
  const [limit] = useState(() => new DayLimit(playerId));
  useEffect(() => listen(window, 'storage', limit.tell), [limit]);
  // The limit ends with the day.
  useNow();
  const countsFrom = useSyncExternalStore(limit.subscribe, limit.getCountsFrom);
  return [limit, countsFrom];
}
