/** How long the server waits for its database, in milliseconds. */
export interface Limits {
  /** For a connection to be made. */
  readonly connect: number;
  /** For a connection of the pool to be made or to become free. */
  readonly wait: number;
  /** For the answer to a statement. Then the connection counts as dead. */
  readonly answer: number;
  /** Limits that PostgreSQL keeps by itself, so that a connection outlives a slow statement. */
  readonly session?: { readonly lock: number; readonly statement: number; readonly idleInTransaction: number };
}

/**
 * For requests. PostgreSQL gives up a lock first, then the statement; the server gives up the connection last. Within five
 * seconds after the network has come back, each connection works again or is gone.
 */
export const REQUEST_LIMITS: Limits = {
  connect: 3_000,
  wait: 5_000,
  answer: 4_000,
  session: { lock: 2_000, statement: 3_500, idleInTransaction: 15_000 },
};

/** For the question whether the database is there. Asked twice, it fits into the five seconds of a health check. */
export const READINESS_LIMITS: Limits = { connect: 2_000, wait: 2_000, answer: 2_000 };

/** How many connections requests that touch `games` may take at a time. */
export const GAME_CONNECTIONS = 7;

/** How many connections one server has for requests. Three stay for all other reads, also while `games` is locked. */
export const POOL_SIZE = GAME_CONNECTIONS + 3;
