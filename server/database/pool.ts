import type { Duplex } from 'node:stream';
import pg from 'pg';
import { Unavailable } from '../base/errors.js';
import { Observed, ObservedValue } from '../base/events.js';
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

/** What each connection says at its start, because ALTER DATABASE and ALTER ROLE may have set something else. */
const SESSION = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
};
const NO_LIMITS = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };

export interface BoundedConfig extends pg.PoolConfig {
  /** The name of the pool in the metrics. A pool of a short life has none. */
  readonly name?: string;
  readonly limits: Limits;
}

/**
 * A connection whose waits end. PostgreSQL ends a statement and a wait for a lock. Without any answer the connection destroys
 * itself and emits `silent`: `query_timeout` of node-postgres would keep the dead connection, and TCP notices a dead network only
 * after 15 minutes. Frequent statements have a name.
 */
class BoundedClient extends pg.Client {
  private readonly stream: Duplex;
  private deadline: NodeJS.Timeout | undefined;

  constructor(config: BoundedConfig) {
    const { connect, answer, postgres } = config.limits;
    super({ ...config, connectionTimeoutMillis: connect });
    const starting = this as unknown as { getStartupConf(): Record<string, string> };
    const parametersOfUrl = starting.getStartupConf();
    const limits: Record<string, string> = {};
    for (const [name, limit] of Object.entries({ ...NO_LIMITS, ...postgres })) limits[name] = String(limit);
    starting.getStartupConf = () => ({ ...parametersOfUrl, ...SESSION, ...limits });
    this.stream = (this as unknown as { connection: { stream: Duplex } }).connection.stream;
    const send = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      if (answer !== undefined) this.expectAnswer(answer);
      const statement = withName(given[0], given[1]);
      if (statement) given.splice(0, 2, statement);
      const result = observed(send, given);
      return result instanceof Promise ? result.catch((error: unknown) => this.explain(error)) : result;
    }) as typeof this.query;
    this.on('drain', () => this.expectNothing()).on('end', () => this.expectNothing());
  }

  /** Closes the connection at once. Its pending statements fail, and the pool drops it. */
  destroy(reason: string): void {
    this.stream.destroy(new Unavailable(reason));
  }

  private expectAnswer(limit: number): void {
    clearTimeout(this.deadline);
    const deadline = setTimeout(() => {
      // An answer may have arrived while the event loop was busy: read it first.
      setImmediate(() => {
        if (this.deadline !== deadline) return;
        this.destroy(`No answer within ${limit} ms`);
        this.emit('silent');
      });
    }, limit);
    this.deadline = deadline;
  }

  private expectNothing(): void {
    clearTimeout(this.deadline);
    this.deadline = undefined;
  }

  private explain(error: unknown): never {
    if (error instanceof Error && !(error instanceof pg.DatabaseError) && this.stream.destroyed) {
      throw new Unavailable(error.message, { cause: error });
    }
    throw error;
  }
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool that limits the time to connect, to wait for a free connection and to get an answer. */
export class BoundedPool extends pg.Pool {
  private readonly idle = new Set<pg.PoolClient>();
  private readonly poolName: string | undefined;

  constructor(config: BoundedConfig) {
    const { limits, name } = config;
    super({
      ...config,
      connectionTimeoutMillis: limits.wait,
      keepAlive: true,
      Client: BoundedClient as unknown as pg.PoolConfig['Client'],
    });
    this.poolName = name;
    if (name) pools.offer(name, () => this.state());
    this.on('connect', (client) => (client as unknown as BoundedClient).once('silent', () => this.dropIdle()));
    this.on('acquire', (client) => void this.idle.delete(client));
    this.on('release', (_error, client) => void this.idle.add(client));
    this.on('remove', (client) => void this.idle.delete(client));
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
      if (error && this.poolName) connectionsMissed.publish({ pool: this.poolName });
      callback(error && unavailable(error), client, done);
    });
  }

  /** Closes all idle connections: when one connection is dead, the others are dead too. */
  dropIdle(): void {
    for (const client of this.idle) (client as unknown as BoundedClient).destroy('Another connection is dead');
  }

  private state(): PoolState {
    const { totalCount: open, idleCount: idle, waitingCount: waiting, options } = this;
    return { max: options.max, open, idle, waiting };
  }
}

function unavailable(error: NodeJS.ErrnoException): Unavailable {
  return new Unavailable(error.message || (error.code ?? error.name), { cause: error });
}
