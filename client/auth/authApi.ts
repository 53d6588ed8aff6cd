import type { Player } from './player.js';

/** An access token, in memory only, with the player it stands for. */
export interface Grant {
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly player: Player;
}

/**
 * Before the server stops taking the token that a lost answer leaves this browser with (docs/decisions/0009-refresh-grace.md)
 * there must be time for another try. Meanwhile the other tabs wait.
 */
const REFRESH_LIMIT_MS = 5_000;

/** The server answered, and the answer is no. Anything else that goes wrong is a network trouble and says nothing. */
export class Refused extends Error {
  constructor(
    readonly code: string | null,
    message: string,
  ) {
    super(message);
    this.name = 'Refused';
  }
}

/** What a sign-in ends with. */
export interface SignedIn {
  readonly grant: Grant;
  /** A path of our own, checked by the server, or '/'. */
  readonly returnTo: string;
}

export type AuthApi = ReturnType<typeof createAuthApi>;

/** The three calls of the sign-in protocol. The refresh cookie travels with them; the page never sees it. */
export function createAuthApi(fetch: typeof globalThis.fetch) {
  async function post(path: string, { body, signal }: { body?: object; signal?: AbortSignal } = {}): Promise<Response> {
    const response = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'x-requested-with': 'tic-tac-toe', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (response.status >= 500) throw new Error(`${path} answered ${response.status}`);
    return response;
  }

  async function accepted(response: Response): Promise<Response> {
    if (response.ok) return response;
    const { error, code } = (await response.json().catch(() => ({}))) as { error?: string; code?: string };
    throw new Refused(code ?? null, error ?? String(response.status));
  }

  async function signedIn(response: Response): Promise<SignedIn> {
    const { access_token, expires_in, user, return_to } = (await response.json()) as {
      access_token: string;
      expires_in: number;
      user: Player;
      return_to: string;
    };
    const grant = { accessToken: access_token, expiresAt: Date.now() + expires_in * 1000, player: user };
    return { grant, returnTo: return_to };
  }

  return {
    async exchange(code: string, verifier: string): Promise<SignedIn> {
      return signedIn(await accepted(await post('/auth/token', { body: { code, code_verifier: verifier } })));
    },

    /** Without a cookie there is no session: an ordinary answer at the first visit. Null when the session has ended. */
    async refresh(): Promise<Grant | 'no cookie' | null> {
      const response = await post('/auth/refresh', { signal: AbortSignal.timeout(REFRESH_LIMIT_MS) });
      // A server that is asked too much has not said no to the session.
      if (response.status === 429) throw new Error('/auth/refresh answered 429');
      if (response.status === 204) return 'no cookie';
      return response.status === 200 ? (await signedIn(response)).grant : null;
    },

    async signOut(): Promise<void> {
      await accepted(await post('/auth/signout'));
    },
  };
}
