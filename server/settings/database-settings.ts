/** Connections that remain for other requests while `games` is locked. */
const CONNECTIONS_WITHOUT_GAMES = 3;
/** Games that share a statement: how many batches at a time, games of a batch, milliseconds that each game waits for a lock. */
export const BATCHES = { concurrent: 2, size: 32, lock: 200 };
const MIN_READS = 2;
export const MIN_POOL = CONNECTIONS_WITHOUT_GAMES + BATCHES.concurrent + MIN_READS;

/**
 * The pool of connections to the database, and the time limits of its requests in milliseconds. All follow from the limit of a
 * statement, 3,500 by default: a machine that is slow there is slow everywhere.
 */
export function databaseSettings(poolSize: number, statement: number) {
  const ofGames = poolSize - CONNECTIONS_WITHOUT_GAMES;
  /** For a lock, and for a batch of games. A statement includes its wait for a lock. */
  const lock = Math.round((statement * 4) / 7);
  return {
    poolSize,
    /** Games that are written at a time in a distributed database, where no two share a statement. */
    writers: ofGames,
    /** The connections that requests can hold. The others are for games, shared reads and the work of the server. */
    inTurns: Math.min(Math.floor(poolSize / 2), ofGames - BATCHES.concurrent),
    lock,
    /** With the default settings, within five seconds after the network returns, each connection works again or is closed. */
    limits: {
      connect: statement - 500,
      // A statement ends meanwhile.
      wait: statement + 1_500,
      // A cancelled statement answers before.
      answer: statement + 500,
      postgres: {
        lock_timeout: lock,
        statement_timeout: statement,
        // No transaction of ours waits for anything but the database.
        idle_in_transaction_session_timeout: 15_000,
      },
    },
  } as const;
}
