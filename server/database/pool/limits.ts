import {
  CONNECTIONS_WITHOUT_GAMES,
  type DatabaseSettings,
  WRITER_CONNECTIONS,
} from '../../settings/connection-settings.js';

/** Time limits of the database, in milliseconds. */
export interface Limits {
  /** To connect. */
  readonly connect: number;
  /** To get a connection from the pool. Undefined means no limit. */
  readonly wait?: number;
  /** For a statement outside of a transaction. The client cancels it then. */
  readonly statement?: number;
  /** To get the answer to a statement. After that the connection counts as dead. */
  readonly answer?: number;
  /** Limits that PostgreSQL enforces in each transaction; 0 means no limit. */
  readonly transaction?: { readonly lock: number; readonly statement: number; readonly idle: number };
}

/** For requests. With the default settings, within five seconds after the network returns, each connection works again or is closed. */
export function requestLimits({ connect, wait, lock, statement, answer, idle }: DatabaseSettings): Limits {
  return { connect, wait, statement, answer, transaction: { lock, statement, idle } };
}

/** For the readiness check. Two attempts fit into the five seconds of a health check. */
export const READINESS_LIMITS: Limits = { connect: 2_000, wait: 2_000, answer: 2_000 };

/** For reads from the replica, which the primary answers after a failure. */
export const REPLICA_LIMITS: Limits = { connect: 500, wait: 500, answer: 500 };

/** For maintenance. A role or a pooler may set limits of its own, which end with these. */
export const MAINTENANCE_LIMITS: Limits = { connect: 5_000, transaction: { lock: 0, statement: 0, idle: 0 } };

/**
 * For migrations. The limit of a lock is shorter than `deadlock_timeout`, so that the migration gives way and not the
 * request that it meets.
 */
export const MIGRATION_LIMITS: Limits = { connect: 5_000, transaction: { lock: 800, statement: 0, idle: 0 } };

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
