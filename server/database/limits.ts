/** Time limits of the database, in milliseconds. */
export interface Limits {
  /** To connect. */
  readonly connect: number;
  /** To get a connection from the pool. */
  readonly wait: number;
  /** To get the answer to a statement. After that the connection counts as dead. */
  readonly answer: number;
  /** Limits that PostgreSQL enforces, so that a connection survives a slow statement. */
  readonly session?: { readonly lock: number; readonly statement: number; readonly idleInTransaction: number };
}

/** How long a request may wait for a lock, or for its turn to use `games`. */
export const LOCK_LIMIT = 2_000;

/**
 * For requests. The limit of a lock is the shortest, then the limit of a statement, then the limit of an answer. Within
 * five seconds after the network returns, each connection works again or is closed.
 */
export const REQUEST_LIMITS: Limits = {
  connect: 3_000,
  wait: 5_000,
  answer: 4_000,
  session: { lock: LOCK_LIMIT, statement: 3_500, idleInTransaction: 15_000 },
};

/** For the readiness check. Two attempts fit into the five seconds of a health check. */
export const READINESS_LIMITS: Limits = { connect: 2_000, wait: 2_000, answer: 2_000 };

/** Connections for requests that use the table `games`. */
export const GAME_CONNECTIONS = 7;

/** Connections of one server for requests. Three remain for other requests while `games` is locked. */
export const POOL_SIZE = GAME_CONNECTIONS + 3;

/** Games that share a statement: how many batches at a time, games of a batch, milliseconds that each game waits for a lock. */
export const BATCHES = { concurrent: 3, size: 32, lock: 200 };
