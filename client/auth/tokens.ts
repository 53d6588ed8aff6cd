import type { AuthApi, Grant, SessionLoss } from './authApi.js';
import { lastPlayer } from './page.js';
import type { Tabs } from '../data/tabs.js';

/** Early enough that no token expires during a request. */
const REFRESH_BEFORE_EXPIRY_MS = 60_000;
const MIN_LIFETIME_MS = 10_000;
/** Short, because the server accepts a used refresh token only for some seconds. */
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;

interface Owner {
  readonly onGrant: (grant: Grant) => void;
  /** Called when the server answers that there is no session. */
  readonly onSessionLost: (reason: SessionLoss) => void;
}

/** Holds the access token, in memory only, and renews it before it expires. */
export class Tokens {
  grant: Grant | null = null;
  private refreshing: Promise<void> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextRetry = FIRST_RETRY_MS;

  constructor(
    private readonly api: Pick<AuthApi, 'refresh'>,
    private readonly tabs: Pick<Tabs, 'oneAtATime'>,
    private readonly owner: Owner,
  ) {}

  set(grant: Grant): void {
    this.grant = grant;
    // Ignore a pending answer about the previous grant.
    this.refreshing = null;
    // The minimum prevents a refresh loop for tokens with a short lifetime.
    const lifetime = grant.expiresAt - Date.now();
    this.refreshIn(Math.max(lifetime - REFRESH_BEFORE_EXPIRY_MS, lifetime / 2, 1000));
    this.owner.onGrant(grant);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.grant = null;
    this.refreshing = null;
  }

  /** Rejects when the server cannot be reached. Simultaneous calls share one request. */
  refresh(): Promise<void> {
    if (this.refreshing) return this.refreshing;
    const mine = this.tabs
      .oneAtATime('refresh', () => this.api.refresh(this.nextRetry !== FIRST_RETRY_MS))
      .then(
        (grant) => {
          if (this.refreshing !== mine) return;
          this.refreshing = null;
          this.nextRetry = FIRST_RETRY_MS;
          if (typeof grant === 'string') this.owner.onSessionLost(grant);
          else this.set(grant);
        },
        (problem: unknown) => {
          if (this.refreshing !== mine) return;
          this.refreshing = null;
          // Retry only if there was a session.
          if (this.grant || lastPlayer.get()) {
            this.refreshIn(this.nextRetry);
            this.nextRetry = Math.min(this.nextRetry * 2, LAST_RETRY_MS);
          }
          throw problem;
        },
      );
    this.refreshing = mine;
    return mine;
  }

  /**
   * Returns a valid token, or null when there is none.
   * @param refused a token that the server refused
   */
  async token(refused?: string): Promise<string | null> {
    const { grant } = this;
    if (!grant) return null;
    if (grant.accessToken === refused || grant.expiresAt - Date.now() < MIN_LIFETIME_MS) {
      await this.refresh().catch(() => undefined);
    }
    const { grant: current } = this;
    return current && current.accessToken !== refused && current.expiresAt > Date.now() ? current.accessToken : null;
  }

  /** Restarts the timer after sleep, when the page becomes visible or the network returns. */
  wakeUp(): void {
    if (this.grant) this.refreshIn(this.grant.expiresAt - Date.now() - REFRESH_BEFORE_EXPIRY_MS);
  }

  private refreshIn(delay: number): void {
    clearTimeout(this.timer);
    if (delay <= 0) void this.refresh().catch(() => undefined);
    else this.timer = setTimeout(() => void this.refresh().catch(() => undefined), delay);
  }
}
