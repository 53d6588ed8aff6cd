import pg from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';

/** There is no connection, or it is lost: the request did nothing wrong and may come again. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
  }
}

/** What a player or a program is told then, and when it may come again. Seconds. */
export const UNAVAILABLE = 'The database is busy or away for a moment. Try again in a few seconds.';
export const RETRY_AFTER = '5';

/**
 * Classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html: connection, rollback by conflict,
 * resources, an operator or a time limit; a transaction that waited too long; a lock that did not come in time.
 */
const AGAIN = /^(08|40|53|57)|^(25P03|25P04|55P03)$/;

/** Why the database could not serve a request that may come again, in a few words for the log; otherwise undefined. */
export function unavailability(error: unknown): string | undefined {
  if (error instanceof QueryFailedError) return unavailability(error.driverError);
  if (error instanceof pg.DatabaseError) return AGAIN.test(error.code ?? '') ? error.message : undefined;
  // A transaction goes on for one more step after its connection was lost.
  if (error instanceof QueryRunnerAlreadyReleasedError) return 'The connection is lost';
  // pg's own pool, of the embedded database, has no class for it.
  if (error instanceof Error && error.message === 'timeout exceeded when trying to connect') return error.message;
  return error instanceof DatabaseUnavailable ? error.message : undefined;
}
