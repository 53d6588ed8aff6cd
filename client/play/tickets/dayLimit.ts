import { useState, useSyncExternalStore } from 'react';
import { ticketPrefix } from '../../playerStorage.js';
import { serverNow } from '../../ui/time/clock.js';

/** Browsers fire a timer at once when its delay exceeds 32 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * When games count again after the player has reached the day's limit. The browser stores the server's last answer for
 * all tabs and for pages without a network.
 */
export class DayLimit {
  private readonly key: string;
  private until: number;
  private readonly subscribers = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    playerId: string,
    private readonly storage: Storage = localStorage,
  ) {
    this.key = `${ticketPrefix(playerId)}countsFrom`;
    this.until = this.stored();
  }

  /** Milliseconds since the epoch, by the server's clock. Null while games count. */
  readonly getCountsFrom = (): number | null => (this.until > serverNow() ? this.until : null);

  /** @param countsFrom null while games count */
  set(countsFrom: string | null | undefined): void {
    const until = countsFrom ? Date.parse(countsFrom) : 0;
    if (until === this.until) return;
    try {
      this.storage.setItem(this.key, String(until));
    } catch {
      // Without storage, the value lasts as long as the page.
    }
    this.change(until);
  }

  readonly subscribe = (subscriber: () => void): (() => void) => {
    this.subscribers.add(subscriber);
    window.addEventListener('storage', this.handleStorageEvent);
    this.startTimer();
    return () => {
      this.subscribers.delete(subscriber);
      if (this.subscribers.size > 0) return;
      window.removeEventListener('storage', this.handleStorageEvent);
      clearTimeout(this.timer);
    };
  };

  private readonly handleStorageEvent = ({ key }: StorageEvent): void => {
    if (key === this.key) this.change(this.stored());
  };

  private change(until: number): void {
    this.until = until;
    this.startTimer();
    for (const subscriber of this.subscribers) subscriber();
  }

  private startTimer(): void {
    clearTimeout(this.timer);
    const left = this.until - serverNow();
    if (left > 0 && this.subscribers.size > 0)
      this.timer = setTimeout(() => this.change(this.until), Math.min(left, LONGEST_TIMER_MS));
  }

  private stored(): number {
    return Number(this.storage.getItem(this.key)) || 0;
  }
}

/** Returns the day's limit and, when it is reached, the time from which games count again. */
export function useDayLimit(playerId: string): [DayLimit, number | null] {
  const [limit] = useState(() => new DayLimit(playerId));
  return [limit, useSyncExternalStore(limit.subscribe, limit.getCountsFrom)];
}
