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
  private readonly watchers = new Set<() => void>();
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
  tell(countsFrom: string | null | undefined): void {
    const until = countsFrom ? Date.parse(countsFrom) : 0;
    if (until === this.until) return;
    try {
      this.storage.setItem(this.key, String(until));
    } catch {
      // Full or switched off: it lasts as long as the page.
    }
    this.become(until);
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    window.addEventListener('storage', this.look);
    this.wait();
    return () => {
      this.watchers.delete(watcher);
      if (this.watchers.size > 0) return;
      window.removeEventListener('storage', this.look);
      clearTimeout(this.timer);
    };
  };

  private readonly look = ({ key }: StorageEvent): void => {
    if (key === this.key) this.become(this.stored());
  };

  private become(until: number): void {
    this.until = until;
    this.wait();
    for (const watcher of this.watchers) watcher();
  }

  private wait(): void {
    clearTimeout(this.timer);
    const left = this.until - serverNow();
    if (left > 0 && this.watchers.size > 0)
      this.timer = setTimeout(() => this.become(this.until), Math.min(left, LONGEST_TIMER_MS));
  }

  private stored(): number {
    return Number(this.storage.getItem(this.key)) || 0;
  }
}
