/** The server's word is good for this long, also on a computer whose clock is ahead. */
const AT_LEAST_MS = 10 * 60_000;

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
    this.key = `tic-tac-toe.ticket.${playerId}.countsFrom`;
    this.until = this.stored();
  }

  /** Milliseconds since the epoch; null while games count. */
  readonly getCountsFrom = (): number | null => (this.until > Date.now() ? this.until : null);

  /** Null: games count. */
  tell(countsFrom: string | null | undefined): void {
    const until = countsFrom ? Math.max(Date.parse(countsFrom), Date.now() + AT_LEAST_MS) : 0;
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
    const left = this.until - Date.now();
    if (left > 0 && this.watchers.size > 0) this.timer = setTimeout(() => this.become(this.until), left);
  }

  private stored(): number {
    return Number(this.storage.getItem(this.key)) || 0;
  }
}
