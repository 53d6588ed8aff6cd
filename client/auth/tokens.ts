import type { AuthApi, Grant } from './authApi.js';
import { lastPlayer } from './lastPlayer.js';
import type { Tabs } from './tabs.js';

/** Early enough that a request never leaves with a token that expires on the way. */
const REFRESH_BEFORE_EXPIRY_MS = 60_000;
const GOOD_FOR_A_REQUEST_MS = 10_000;
/** A lost answer may have used up the refresh token: the server takes it again only for seconds. */
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;

/** The browser sent no cookie, or the server does not take it (any more). */
export type SessionLoss = 'no cookie' | 'ended';

interface Owner {
  readonly onGrant: (grant: Grant) => void;
  /** The server says that there is no session (any more). */
  readonly onSessionLost: (reason: SessionLoss) => void;
}

/** Holds the access token, in memory only, and renews it before it expires. */
export class Tokens {
  private current: Grant | null = null;
  private refreshing: Promise<void> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextRetry = FIRST_RETRY_MS;

  constructor(
    private readonly api: Pick<AuthApi, 'refresh'>,
    private readonly tabs: Pick<Tabs, 'oneAtATime'>,
    private readonly owner: Owner,
  ) {}

  get grant(): Grant | null {
    return this.current;
  }

  set(grant: Grant): void {
    this.current = grant;
    // An answer still under way belongs to the time before.
    this.refreshing = null;
    // A token that lives only briefly must not be renewed without a pause.
    const lifetime = grant.expiresAt - Date.now();
    this.refreshIn(Math.max(lifetime - REFRESH_BEFORE_EXPIRY_MS, lifetime / 2, 1000));
    this.owner.onGrant(grant);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.current = null;
    this.refreshing = null;
  }

  /** Settles when the server has answered; rejects when it could not be reached. Calls at the same time share one. */
  refresh(): Promise<void> {
    if (this.refreshing) return this.refreshing;
    const mine = this.tabs
      .oneAtATime('refresh', () => this.api.refresh())
      .then(
        (grant) => {
          if (this.refreshing !== mine) return;
          this.refreshing = null;
          this.nextRetry = FIRST_RETRY_MS;
          if (grant === null || grant === 'no cookie') this.owner.onSessionLost(grant ?? 'ended');
          else this.set(grant);
        },
        (problem: unknown) => {
          if (this.refreshing !== mine) return;
          this.refreshing = null;
          // Nobody is kept waiting for a session where there was none.
          if (this.current || lastPlayer.get()) {
            this.refreshIn(this.nextRetry);
            this.nextRetry = Math.min(this.nextRetry * 2, LAST_RETRY_MS);
          }
          throw problem;
        },
      );
    this.refreshing = mine;
    return mine;
  }

  /** A token that is good for a request now; null when there is none to be had. `refused` is one the server did not take. */
  async token(refused?: string): Promise<string | null> {
    const grant = this.current;
    if (!grant) return null;
    if (grant.accessToken === refused || grant.expiresAt - Date.now() < GOOD_FOR_A_REQUEST_MS) {
      await this.refresh().catch(() => undefined);
    }
    const { current } = this;
    return current && current.accessToken !== refused && current.expiresAt > Date.now() ? current.accessToken : null;
  }

  /** Timers stand still while a computer sleeps: called when the page is looked at again or the network is back. */
  wakeUp(): void {
    if (this.current) this.refreshIn(this.current.expiresAt - Date.now() - REFRESH_BEFORE_EXPIRY_MS);
  }

  private refreshIn(delay: number): void {
    clearTimeout(this.timer);
    if (delay <= 0) void this.refresh().catch(() => undefined);
    else this.timer = setTimeout(() => void this.refresh().catch(() => undefined), delay);
  }
}
