import { ticketPrefix } from '../playerStorage.js';
import { serverNow } from '../ui/clock.js';

/** Browsers run a timer of more milliseconds than a 32-bit number holds at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * As many games as a day may have were counted: from when they count again. It is the server's last word, which all tabs
 * of this browser share and a page that is opened without a network finds.
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

  /** Milliseconds since the epoch, by the server's clock; null while games count. */
  readonly getCountsFrom = (): number | null => (this.until > serverNow() ? this.until : null);

  /** Null: games count. */
  set(countsFrom: string | null | undefined): void {
    const until = countsFrom ? Date.parse(countsFrom) : 0;
    if (until === this.until) return;
    try {
      this.storage.setItem(this.key, String(until));
    } catch {
      // Full or switched off: it lasts as long as the page.
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
