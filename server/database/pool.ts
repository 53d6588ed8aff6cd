import pg from 'pg';
import { Unavailable } from '../base/errors.js';
import { Observed, ObservedValue } from '../base/events.js';
import { noWritesAfter } from './errors.js';
import { observed, withName } from './statements.js';

/** A pool of connections, or the part of one that the requests of `games` may use. */
interface PoolState {
  readonly max: number;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}
export const pools = new ObservedValue<PoolState>();
/** The failure to get a connection of a pool. */
export const connectionsMissed = new Observed<{ readonly pool: string }>('connection.missed');
/** A connection that gives no answer, or whose server accepts no writes any more. Then the idle ones are dead too: all pools close them. */
export const connectionsDead = new Observed<{ readonly reason: string }>('connection.dead');

/** A statement or a connection failed for a reason after which other writes fail too. */
export const writesFailed = new Observed<{ readonly reason: string }>('writes.failed');

/** Time limits of the database, in milliseconds. */
export interface Limits {
  /** To connect. */
  readonly connect: number;
  /** To get a connection from the pool. Undefined means no limit. */
  readonly wait?: number;
  /** To get the answer to a statement. After that the connection counts as dead. */
  readonly answer?: number;
  /** Limits that PostgreSQL enforces. */
  readonly postgres?: Partial<typeof NO_LIMITS>;
}

/** ALTER DATABASE and ALTER ROLE may have set something else (databases.test.ts). */
const SESSION = `
  SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres'; SET TimeZone = 'UTC'; SET standard_conforming_strings = on;
  SET default_transaction_isolation = 'read committed';`;

/** The least time between two drops because a server accepts no writes, in milliseconds: new connections may lead to the same server. */
const DROP_MS = 1_000;

/** 24 days, because node-postgres sends no 0. */
const NONE: number = 2 ** 31 - 1;
const NO_LIMITS = { statement_timeout: NONE, lock_timeout: NONE, idle_in_transaction_session_timeout: NONE };
/** Also the limits, because PgBouncer does not pass on those with which a connection begins. */
const sessionOf = ({ postgres }: Limits): string =>
  Object.entries({ ...NO_LIMITS, ...postgres }).reduce((text, [name, ms]) => `${text} SET ${name} = ${ms};`, SESSION);

export interface BoundedConfig extends pg.PoolConfig {
  /** The name of the pool in the metrics. A pool of a short life has none. */
  readonly name?: string;
  readonly limits: Limits;
}

/**
 * A connection whose waits end. PostgreSQL ends a statement and a wait for a lock. Without any answer the connection ends
 * itself (database-hangs.test.ts): `query_timeout` of node-postgres would keep the dead connection, and TCP notices a dead
 * network only after 15 minutes. It also ends itself when its server accepts no writes: a failover can leave connections on
 * the old primary (databases.test.ts). Frequent statements have a name.
 */
class BoundedClient extends pg.Client {
  private deadline: NodeJS.Timeout | undefined;
  /** Why the connection answers no more. */
  private lost: string | undefined;
  private static lastDrop = -Infinity;

  constructor(config: BoundedConfig) {
    const { connect, answer, postgres } = config.limits;
    super({ ...config, ...NO_LIMITS, ...postgres, connectionTimeoutMillis: connect });
    const send = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      if (answer !== undefined) this.expectAnswer(answer);
      const statement = withName(given[0], given[1]);
      if (statement) given.splice(0, 2, statement);
      const result = observed(send, given);
      return result instanceof Promise ? result.catch((error: unknown) => this.explain(error)) : result;
    }) as typeof this.query;
    this.on('drain', () => this.expectNothing()).on('end', () => this.expectNothing());
    this.on('error', ({ message }) => (this.lost ??= message));
  }

  private expectAnswer(limit: number): void {
    clearTimeout(this.deadline);
    const deadline = setTimeout(() => {
      // An answer may have arrived while the event loop was busy: read it first.
      setImmediate(() => {
        if (this.deadline === deadline) this.die(`No answer within ${limit} ms`);
      });
    }, limit);
    this.deadline = deadline;
  }

  private expectNothing(): void {
    clearTimeout(this.deadline);
    this.deadline = undefined;
  }

  /** At once, also when a statement is under way. The pool drops the connection. */
  private die(reason: string): void {
    this.lost = reason;
    void this.end();
    connectionsDead.publish({ reason });
  }

  private explain(error: unknown): never {
    if (error instanceof pg.DatabaseError) {
      const now = performance.now();
      if (noteFailure(error) === 'database_read_only' && now - BoundedClient.lastDrop > DROP_MS) {
        BoundedClient.lastDrop = now;
        this.die(error.message);
      }
      throw error;
    }
    throw this.lost === undefined ? error : new Unavailable(this.lost, { cause: error });
  }
}

function noteFailure(error: unknown) {
  const reason = noWritesAfter(error);
  if (reason) writesFailed.publish({ reason });
  return reason;
}

type Connected = Parameters<pg.Pool['connect']>[0];

/** A pool that limits the time to connect, to wait for a free connection and to get an answer. */
export class BoundedPool extends pg.Pool {
  private readonly poolName: string | undefined;

  constructor(config: BoundedConfig) {
    const { limits, name } = config;
    super({
      ...config,
      connectionTimeoutMillis: limits.wait,
      keepAlive: true,
      Client: BoundedClient as unknown as pg.PoolConfig['Client'],
      // The pool waits for the answer, although its type does not say so.
      onConnect: (client: pg.ClientBase): unknown => client.query(sessionOf(limits)),
    });
    this.poolName = name;
    if (!name) return;
    pools.offer(name, () => this.state());
    connectionsDead.subscribe(() => this.dropIdle());
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (!callback) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (error ? reject(error) : resolve(client!))),
      );
    }
    super.connect((error, client, done) => {
      noteFailure(error);
      if (error && this.poolName) connectionsMissed.publish({ pool: this.poolName });
      callback(error && unavailable(error), client, done);
    });
  }

  dropIdle(): void {
    for (let idle = this.idleCount; idle > 0; idle--) super.connect((_error, client) => client?.release(true));
  }

  private state(): PoolState {
    const { totalCount: open, idleCount: idle, waitingCount: waiting, options } = this;
    return { max: options.max, open, idle, waiting };
  }
}

function unavailable(error: NodeJS.ErrnoException): Unavailable {
  return new Unavailable(error.message || (error.code ?? error.name), { cause: error });
}
