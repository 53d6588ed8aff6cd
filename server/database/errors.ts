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

/** Why no write may succeed for a while, as a server says it that is not ready. */
export type NoWrites = `database_${'read_only' | 'disk_full' | 'out_of_memory' | 'connections_used'}`;

/** What an operator can mend, by codes of https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CONDITIONS: Readonly<Record<string, { readonly advice: string; readonly noWrites?: NoWrites }>> = {
  '25006': {
    noWrites: 'database_read_only',
    advice: 'It accepts no writes: name a host that does, or ALTER DATABASE … RESET default_transaction_read_only.',
  },
  '3F000': {
    advice: 'Create the schema of the tables: CREATE SCHEMA public AUTHORIZATION …, the role of DATABASE_URL.',
  },
  '42501': {
    advice: 'Let the role of DATABASE_URL own all: ALTER DATABASE … OWNER TO, and ALTER TABLE … OWNER TO.',
  },
  '08P01': {
    advice: 'Before PostgreSQL, PgBouncer needs the settings of "Your own PostgreSQL" in docs/operations.md.',
  },
  '53100': { noWrites: 'database_disk_full', advice: 'Free its disk: TttDisk in docs/operations.md says how.' },
  '53200': { noWrites: 'database_out_of_memory', advice: 'Give it more memory, or lower shared_buffers and work_mem.' },
  '53300': {
    noWrites: 'database_connections_used',
    advice:
      'A server needs DATABASE_POOL_SIZE and three more: raise max_connections, or the CONNECTION LIMIT of role and database.',
  },
  '42P07': { advice: 'Another program uses this database: name one that is empty.' },
};

const codeOf = (error: unknown): string => saidByDatabase(error)?.code ?? '';

export const adviceAfter = (error: unknown): string | undefined => CONDITIONS[codeOf(error)]?.advice;

/** Undefined when the error says nothing about other writes. */
export const noWritesAfter = (error: unknown): NoWrites | undefined => CONDITIONS[codeOf(error)]?.noWrites;

const failedWith = (...codes: string[]) => {
  return (error: unknown): boolean => codes.includes(codeOf(error));
};

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
