import { refusalIn, type Refused } from '../data/refused.js';
import type { Player } from '../data/player.js';

/** An access token with its player. It is held in memory only. */
export interface Grant {
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly player: Player;
}

/**
 * Short enough for a second try within the grace period of the old refresh token. The other tabs wait meanwhile.
 * See docs/decisions/11-each-answer-has-its-own-copy-of-the-refresh-token.md.
 */
const FIRST_REFRESH_LIMIT_MS = 5_000;
/** A slow network needs longer than a lost answer. */
const SLOW_NETWORK_LIMIT_MS = 20_000;
const REACH_LIMIT_MS = 2_000;

/** The browser sent no cookie, as at the first visit; or the session has ended, alone or with its account. */
export type SessionLoss = 'no cookie' | 'no_session' | 'account_deleted';

/** The result of a sign-in. */
export interface SignedIn {
  readonly grant: Grant;
  /** A path of this site, validated by the server, or '/'. */
  readonly returnTo: string;
}

export type AuthApi = ReturnType<typeof createAuthApi>;

/** The calls of the sign-in protocol. They carry the refresh cookie, which the page cannot read. */
export function createAuthApi(fetch: typeof globalThis.fetch) {
  /** Null where the server has nothing to say. Rejects with `Refused`, or where the server itself has not answered. */
  async function post(
    path: string,
    { body, signal }: { body?: object; signal?: AbortSignal } = {},
  ): Promise<SignedIn | null> {
    const response = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'x-requested-with': 'tic-tac-toe', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    // A proxy can answer this too.
    if (response.status === 204 && response.headers.has('x-request-id')) return null;
    if (response.status !== 200) throw await refusalIn(response);
    const { access_token, expires_in, user, return_to } = (await response.json()) as {
      access_token: string;
      expires_in: number;
      user: Player;
      return_to: string;
    };
    if (!access_token || !user.id) throw new Error(`${path} answered something else`);
    const grant = { accessToken: access_token, expiresAt: Date.now() + expires_in * 1000, player: user };
    return { grant, returnTo: return_to };
  }

  return {
    /** Rejects when the server cannot be reached, or not as one that can sign players in. The browser waits for a silent one. */
    async reach(): Promise<void> {
      const signal = AbortSignal.timeout(REACH_LIMIT_MS);
      const answer = await fetch('/health/ready', { cache: 'no-store', signal }).catch((problem: unknown) => {
        if (!signal.aborted) throw problem;
      });
      // A proxy may keep the address to itself.
      if (answer && answer.status >= 500) throw new Error(`/health/ready answered ${answer.status}`);
    },

    async exchange(code: string, verifier: string): Promise<SignedIn> {
      return (await post('/auth/token', { body: { code, code_verifier: verifier } }))!;
    },

    async refresh(afterFailure: boolean): Promise<Grant | SessionLoss> {
      const signal = AbortSignal.timeout(afterFailure ? SLOW_NETWORK_LIMIT_MS : FIRST_REFRESH_LIMIT_MS);
      try {
        return (await post('/auth/refresh', { signal }))?.grant ?? 'no cookie';
      } catch (problem) {
        const { code } = problem as Partial<Refused>;
        if (code === 'no_session' || code === 'account_deleted') return code;
        throw problem;
      }
    },

    async signOut(): Promise<void> {
      await post('/auth/signout');
    },
  };
}
