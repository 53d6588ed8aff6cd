import { QueryFailedError } from 'typeorm';

/** A lock that took too long, a deadlock, and a transaction that could not be serialised. */
const LOCK_CONFLICTS: ReadonlySet<string | undefined> = new Set(['55P03', '40P01', '40001']);

/** Whether another transaction was in the way, so that a repetition can succeed. */
export function isLockConflict(error: unknown): boolean {
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  return error instanceof QueryFailedError && LOCK_CONFLICTS.has((error.driverError as { code?: string }).code);
}
