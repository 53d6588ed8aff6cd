import { Listeners } from '../ui/listen.js';

/** Hear that the server answers again. */
export const serverAnswered = new Listeners();

/** What the server has refused, in its own words. Other failures are of the network and tell nothing about the session. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  /** In the form of GraphQL. */
  get errors() {
    return [{ extensions: { code: this.code.toUpperCase() } }];
  }
}

/**
 * What the server has refused in this answer. An answer in another form is not the server's but that of a proxy or a portal,
 * whatever its status, and counts as a failure of the network.
 */
export async function refusalIn(response: Response): Promise<Error> {
  const { code, error } = ((await response.json().catch(() => null)) ?? {}) as { code?: unknown; error?: unknown };
  const isOurs = typeof code === 'string' && typeof error === 'string' && response.status < 500;
  return isOurs ? new Refused(code, error) : new Error(`${response.url} answered ${response.status}`);
}

/** Whether the server has refused with this code, to Apollo Client or outside GraphQL. */
export function hasCode(error: unknown, code: string): boolean {
  const { errors } = error as { errors?: readonly { extensions?: { code?: unknown } }[] };
  return errors?.some(({ extensions }) => extensions?.code === code) ?? false;
}
