import { wholeNumber } from '../base/whole-number.js';

/** Connections that remain for other requests while `games` is locked. */
export const CONNECTIONS_WITHOUT_GAMES = 3;

/** Two batches of games, and two games that wait for a lock. */
export const WRITER_CONNECTIONS = 4;

const MIN_POOL = CONNECTIONS_WITHOUT_GAMES + WRITER_CONNECTIONS;

/** The longest delay that a supervisor is likely to allow. */
const MAX_SHUTDOWN_DELAY = 120_000;
const PRODUCTION_SHUTDOWN_DELAY = 5_000;

const milliseconds = (name: string, fallback: number) => wholeNumber(name, fallback, 100, 600_000);

export const connectionVariables = {
  DATABASE_POOL_SIZE: wholeNumber('DATABASE_POOL_SIZE', 10, MIN_POOL, 1_000),
  DATABASE_CONNECT_TIMEOUT_MS: milliseconds('DATABASE_CONNECT_TIMEOUT_MS', 3_000),
  DATABASE_WAIT_TIMEOUT_MS: milliseconds('DATABASE_WAIT_TIMEOUT_MS', 5_000),
  DATABASE_LOCK_TIMEOUT_MS: milliseconds('DATABASE_LOCK_TIMEOUT_MS', 2_000),
  DATABASE_STATEMENT_TIMEOUT_MS: milliseconds('DATABASE_STATEMENT_TIMEOUT_MS', 3_500),
  DATABASE_ANSWER_TIMEOUT_MS: milliseconds('DATABASE_ANSWER_TIMEOUT_MS', 4_000),
  DATABASE_IDLE_TIMEOUT_MS: milliseconds('DATABASE_IDLE_TIMEOUT_MS', 15_000),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds('KEEP_ALIVE_TIMEOUT_MS', 75_000),
  HEADERS_TIMEOUT_MS: milliseconds('HEADERS_TIMEOUT_MS', 15_000),
  REQUEST_TIMEOUT_MS: milliseconds('REQUEST_TIMEOUT_MS', 60_000),
  SHUTDOWN_DELAY_MS: wholeNumber('SHUTDOWN_DELAY_MS', 0, 0, MAX_SHUTDOWN_DELAY),
};

type Values = { readonly [Name in keyof typeof connectionVariables]: number };

/** The pairs of limits whose first one must end earlier, with the reason. */
const ORDER: readonly (readonly [keyof Values, keyof Values, string])[] = [
  ['DATABASE_LOCK_TIMEOUT_MS', 'DATABASE_STATEMENT_TIMEOUT_MS', 'a statement includes its wait for a lock'],
  [
    'DATABASE_STATEMENT_TIMEOUT_MS',
    'DATABASE_ANSWER_TIMEOUT_MS',
    'a cancelled statement must answer before its connection counts as dead',
  ],
  ['HEADERS_TIMEOUT_MS', 'REQUEST_TIMEOUT_MS', 'a request includes its headers'],
];

/** Compares the values that are valid on their own. @param present as the environment has them */
export function problemsOfOrder(present: Readonly<Record<string, string | undefined>>): string[] {
  const valueOf = (name: keyof Values) => connectionVariables[name].safeParse(present[name]).data ?? NaN;
  return ORDER.filter(([first, second]) => valueOf(first) >= valueOf(second)).map(
    ([first, second, reason]) => `${first} must be less than ${second}: ${reason}`,
  );
}

/** @param isDelaySet whether SHUTDOWN_DELAY_MS has a value of its own */
export function connectionSettings(
  values: Values,
  { production, isDelaySet }: { production: boolean; isDelaySet: boolean },
) {
  return {
    /** The size of the pool of connections to the database, and the time limits of its requests in milliseconds. */
    database: {
      poolSize: values.DATABASE_POOL_SIZE,
      /** To connect. */
      connect: values.DATABASE_CONNECT_TIMEOUT_MS,
      /** To get a connection from the pool. */
      wait: values.DATABASE_WAIT_TIMEOUT_MS,
      /** For a lock, and for a turn to use `games`. */
      lock: values.DATABASE_LOCK_TIMEOUT_MS,
      /** For a statement. */
      statement: values.DATABASE_STATEMENT_TIMEOUT_MS,
      /** For an answer. Later the connection counts as dead. */
      answer: values.DATABASE_ANSWER_TIMEOUT_MS,
      /** For a pause within a transaction. */
      idle: values.DATABASE_IDLE_TIMEOUT_MS,
    } as const,
    /** The time limits of connections from clients, in milliseconds. */
    http: {
      /** For the next request on a connection. A proxy must close its connections earlier. */
      keepAlive: values.KEEP_ALIVE_TIMEOUT_MS,
      /** For the headers of a request. */
      headers: values.HEADERS_TIMEOUT_MS,
      /** For a whole request: 16 KB on a slow network. */
      request: values.REQUEST_TIMEOUT_MS,
      /** From SIGTERM until the server accepts no more connections. */
      shutdownDelay: production && !isDelaySet ? PRODUCTION_SHUTDOWN_DELAY : values.SHUTDOWN_DELAY_MS,
    } as const,
  };
}

type ConnectionSettings = ReturnType<typeof connectionSettings>;
export type DatabaseSettings = ConnectionSettings['database'];
export type HttpSettings = ConnectionSettings['http'];
