import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import pg from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { Unavailable } from '../base/errors.js';

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

/** Logs why a request failed: the database is away, or something that nobody expected. @returns whether it is away */
export function logFailure(
  logger: Logger,
  error: unknown,
  { id, ...fields }: { readonly id: string; readonly [field: string]: unknown },
  event = 'unexpected_error',
): boolean {
  const reason = unavailability(error);
  if (reason) logger.warn({ event: 'database_unavailable', requestId: id, ...fields, reason });
  else logger.error({ event, requestId: id, id, ...fields }, error instanceof Error ? error.stack : String(error));
  return reason !== undefined;
}

/** What PostgreSQL has said; undefined for any other error. */
export function saidByDatabase(error: unknown): pg.DatabaseError | undefined {
  if (error instanceof QueryFailedError) return saidByDatabase(error.driverError);
  // The pool says so of every failure to connect.
  if (error instanceof Unavailable) return saidByDatabase(error.cause);
  return error instanceof pg.DatabaseError ? error : undefined;
}

/** Codes after which no write may succeed for a while, with what a server says that is not ready. */
const NO_WRITES = {
  '25006': 'database_read_only',
  '53100': 'database_disk_full',
  '53200': 'database_out_of_memory',
  '53300': 'database_connections_used',
} as const;
export type NoWrites = (typeof NO_WRITES)[keyof typeof NO_WRITES];

/** Why writes fail after this error; undefined when it says nothing about other writes. */
export function noWritesAfter(error: unknown): NoWrites | undefined {
  return (NO_WRITES as Partial<Record<string, NoWrites>>)[saidByDatabase(error)?.code ?? ''];
}

/** Needs a megabyte of new disk, which a row may find in a page that is there, and leaves nothing. */
export const TRY_TO_WRITE = `DO $$ BEGIN
  CREATE TABLE ttt_write AS SELECT repeat('x', 1000) FROM generate_series(1, 1000);
  DROP TABLE ttt_write;
END $$`;

/** Codes of https://www.postgresql.org/docs/current/errcodes-appendix.html */
const failedWith =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    error instanceof QueryFailedError && codes.includes((error.driverError as { code?: string }).code ?? '');

/** Whether the database refused a row because another one has its key. */
export const isUniqueViolation = failedWith('23505');
/** Whether the database refused a row because the row that it refers to does not exist. */
export const isForeignKeyViolation = failedWith('23503');
/** A transaction that could not be serialised, or a deadlock. PostgreSQL has rolled the transaction back. */
const isConflict = failedWith('40001', '40P01');
/** Whether another transaction was in the way, so that a repetition can succeed: a conflict, or a lock that took too long. */
export const isLockConflict = failedWith('55P03', '40P01', '40001');

const TRIES = 4;
/** Milliseconds before the first repetition. Each further pause is twice as long. */
const PAUSE = 10;

/** Repeats a transaction that has lost a conflict with another one. The random pause keeps the two from meeting again. */
export async function retryConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction();
    } catch (error) {
      if (tries === TRIES || !isConflict(error)) throw error;
    }
    await sleep(PAUSE * 2 ** (tries - 1) * (0.5 + Math.random()));
  }
}
