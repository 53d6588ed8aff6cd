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

/** The limit of a statement of a request. The answer to its cancellation must come before the connection counts as dead. */
const STATEMENT = 3_500;

/** How long a request may wait for a lock in a transaction, or for its turn to use `games`. */
export const LOCK_LIMIT = 2_000;

/** For requests. Within five seconds after the network returns, each connection works again or is closed. */
export const REQUEST_LIMITS: Limits = {
  connect: 3_000,
  wait: 5_000,
  statement: STATEMENT,
  answer: 4_000,
  transaction: { lock: LOCK_LIMIT, statement: STATEMENT, idle: 15_000 },
};

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
export const GAME_CONNECTIONS = 7;

/** Connections of one server for requests. Three remain for other requests while `games` is locked. */
export const POOL_SIZE = GAME_CONNECTIONS + 3;

/** Games that share a statement: how many batches at a time, games of a batch, milliseconds that each game waits for a lock. */
export const BATCHES = { concurrent: 3, size: 32, lock: 200 };
