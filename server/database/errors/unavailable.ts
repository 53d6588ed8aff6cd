import pg from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { Unavailable } from '../../base/errors.js';

/** The message for clients, and the seconds until they may try again. */
export const UNAVAILABLE = 'The database is busy or away for a moment. Try again in a few seconds.';
export const RETRY_AFTER = '5';

/**
 * Error classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html after which a client may try
 * again: connection, rollback by conflict, resources, operator or time limit, read-only host, idle transaction, lock timeout.
 */
const RETRYABLE = /^(08|40|53|57)|^(25006|25P03|25P04|55P03)$/;

/** The reason for the log when a client may try again; otherwise undefined. */
export function unavailability(error: unknown): string | undefined {
  if (error instanceof QueryFailedError) return unavailability(error.driverError);
  if (error instanceof pg.DatabaseError) return RETRYABLE.test(error.code ?? '') ? error.message : undefined;
  // A transaction runs one more step after its connection is lost.
  if (error instanceof QueryRunnerAlreadyReleasedError) return 'The connection is lost';
  // The pool of the embedded database has no error class for it.
  if (error instanceof Error && error.message === 'timeout exceeded when trying to connect') return error.message;
  return error instanceof Unavailable ? error.message : undefined;
}
