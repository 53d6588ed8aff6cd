import type { Player } from './player.js';

/** An access token, in memory only, with the player it stands for. */
export interface Grant {
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly player: Player;
}

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

export type AuthApi = ReturnType<typeof createAuthApi>;

/** The three calls of the sign-in protocol. The refresh cookie travels with them; the page never sees it. */
export function createAuthApi(fetch: typeof globalThis.fetch) {
  async function post(path: string, body?: object): Promise<Response> {
    const response = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'x-requested-with': 'tic-tac-toe', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    // A failing server or one under too much load has not said no to the session.
    if (response.status >= 500 || response.status === 429) throw new Error(`${path} answered ${response.status}`);
    const { error, code } = (await response.json().catch(() => ({}))) as { error?: string; code?: string };
    throw new Refused(code ?? null, error ?? `${path} answered ${response.status}`);
  }

  async function grant(response: Response): Promise<Grant> {
    const { access_token, expires_in, user } = (await response.json()) as {
      access_token: string;
      expires_in: number;
      user: Player;
    };
    return { accessToken: access_token, expiresAt: Date.now() + expires_in * 1000, player: user };
  }

  return {
    async exchange(code: string, verifier: string): Promise<Grant> {
      return grant(await post('/auth/token', { code, code_verifier: verifier }));
    },

    /** Null when this browser has no session: an ordinary answer at the first visit. */
    async refresh(): Promise<Grant | null> {
      try {
        const response = await post('/auth/refresh');
        return response.status === 204 ? null : await grant(response);
      } catch (problem) {
        if (problem instanceof Refused) return null;
        throw problem;
      }
    },

    async signOut(): Promise<void> {
      await post('/auth/signout');
    },
  };
}
