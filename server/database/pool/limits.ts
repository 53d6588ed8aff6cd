import type pg from 'pg';
import {
  CONNECTIONS_WITHOUT_GAMES,
  type DatabaseSettings,
  WRITER_CONNECTIONS,
} from '../../settings/database-settings.js';

/** Time limits of the database, in milliseconds. */
export interface Limits {
  /** To connect. */
  readonly connect: number;
  /** To get a connection from the pool. Undefined means no limit. */
  readonly wait?: number;
  /** To get the answer to a statement. After that the connection counts as dead. */
  readonly answer?: number;
  /** Limits that PostgreSQL enforces. */
  readonly postgres?: Pick<
    pg.ClientConfig,
    'lock_timeout' | 'statement_timeout' | 'idle_in_transaction_session_timeout'
  >;
}

/** For requests. With the default settings, within five seconds after the network returns, each connection works again or is closed. */
export function requestLimits({ connect, wait, lock, statement, answer, idle }: DatabaseSettings): Limits {
  const postgres = { lock_timeout: lock, statement_timeout: statement, idle_in_transaction_session_timeout: idle };
  return { connect, wait, answer, postgres };
}

/** For the readiness check. Two attempts fit into the five seconds of a health check. */
export const READINESS_LIMITS: Limits = { connect: 2_000, wait: 2_000, answer: 2_000 };

/** For maintenance. */
export const MAINTENANCE_LIMITS: Limits = { connect: 5_000 };

/**
 * For migrations. The limit of a lock is shorter than `deadlock_timeout`, so that the migration gives way and not the
 * request that it meets.
 */
export const MIGRATION_LIMITS: Limits = { connect: 5_000, postgres: { lock_timeout: 800 } };

/** Connections for requests that use the table `games`. */
export function gameConnections({ poolSize }: DatabaseSettings): number {
  return poolSize - CONNECTIONS_WITHOUT_GAMES;
}

/** Connections for reads of requests at a time. The others are for games, sign-ins and the work of the server. */
export function reads({ poolSize }: DatabaseSettings): number {
  return Math.floor(poolSize / 2);
}

/** Connections for reads of `games` at a time: those that its writer leaves. */
export function gameReads(settings: DatabaseSettings): number {
  return Math.max(1, gameConnections(settings) - WRITER_CONNECTIONS);
}

/** Games that share a statement: how many batches at a time, games of a batch, milliseconds that each game waits for a lock. */
export const BATCHES = { concurrent: 2, size: 32, lock: 200 };
