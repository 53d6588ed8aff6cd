import { QueryFailedError } from 'typeorm';

/** A lock that took too long, a deadlock, and a transaction that could not be serialised. */
const LOCK_CONFLICTS: ReadonlySet<string | undefined> = new Set(['55P03', '40P01', '40001']);

/** Whether another transaction was in the way, so that a repetition can succeed. */
export function isLockConflict(error: unknown): boolean {
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  return LOCK_CONFLICTS.has(codeOf(error));
}

/** Whether the statement took longer than `statement_timeout`, or was cancelled. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === '57014';
}

const codeOf = (error: unknown) =>
  error instanceof QueryFailedError ? (error.driverError as { code?: string }).code : undefined;
