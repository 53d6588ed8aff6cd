/** Connections that remain for other requests while `games` is locked. */
export const CONNECTIONS_WITHOUT_GAMES = 3;
/** Two batches of games, and two games that wait for a lock. */
export const WRITER_CONNECTIONS = 4;
export const MIN_POOL = CONNECTIONS_WITHOUT_GAMES + WRITER_CONNECTIONS;

/**
 * The size of the pool of connections to the database, and the time limits of its requests in milliseconds. All follow from the
 * limit of a statement, 3,500 by default: a machine that is slow there is slow everywhere.
 */
export function databaseSettings(poolSize: number, statement: number) {
  return {
    poolSize,
    /** To connect. */
    connect: statement - 500,
    /** To get a connection from the pool: a statement ends meanwhile. */
    wait: statement + 1_500,
    /** For a lock, and for a turn to use `games`. A statement includes its wait for a lock. */
    lock: Math.round((statement * 4) / 7),
    /** For a statement. */
    statement,
    /** For an answer. Later the connection counts as dead; a cancelled statement answers before. */
    answer: statement + 500,
    /** For a pause within a transaction. No transaction of ours waits for anything but the database. */
    idle: 15_000,
  } as const;
}

export type DatabaseSettings = ReturnType<typeof databaseSettings>;
