import { useEffect, useState, useSyncExternalStore } from 'react';
import { ticketPrefix } from '../playerStorage.js';
import { listen, Listeners } from '../ui/listen.js';
import { stored } from '../ui/stored.js';
import { serverNow } from '../ui/time/clock.js';

/** Browsers fire a timer at once when its delay exceeds 32 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * When games count again after the player has reached the day's limit. The browser stores the server's last answer for
 * all tabs and for pages without a network.
 */
export class DayLimit {
  private readonly key: string;
  private until: number;
  private readonly subscribers = new Listeners();
  readonly subscribe = this.subscribers.add;

  constructor(playerId: string) {
    this.key = `${ticketPrefix(playerId)}countsFrom`;
    this.until = this.stored();
  }

  /** Milliseconds since the epoch, by the server's clock. Null while games count. */
  readonly getCountsFrom = (): number | null => (this.until > serverNow() ? this.until : null);

  /** @param countsFrom null while games count */
  set(countsFrom: string | null): void {
    const until = countsFrom ? Date.parse(countsFrom) : 0;
    if (until === this.until) return;
    // Without storage, the value lasts as long as the page.
    stored.set(this.key, String(until));
    this.change(until);
  }

  readonly handleStorageEvent = ({ key }: StorageEvent): void => {
    if (key === this.key) this.change(this.stored());
  };

  change(until = this.until): void {
    this.until = until;
    this.subscribers.tell();
  }

  private stored(): number {
    return Number(stored.get(this.key)) || 0;
  }
}

/** Returns the day's limit and, when it is reached, the time from which games count again. */
export function useDayLimit(playerId: string): [DayLimit, number | null] {
  const [limit] = useState(() => new DayLimit(playerId));
  const countsFrom = useSyncExternalStore(limit.subscribe, limit.getCountsFrom);
  useEffect(() => listen(window, 'storage', limit.handleStorageEvent), [limit]);
  useEffect(() => {
    if (countsFrom === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      limit.change();
      timer = setTimeout(look, Math.min(Math.max(countsFrom - serverNow(), 1), LONGEST_TIMER_MS));
    };
    look();
    return () => clearTimeout(timer);
  }, [limit, countsFrom]);
  return [limit, countsFrom];
}
