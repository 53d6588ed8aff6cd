import { getCACertificates } from 'node:tls';
import pg from 'pg';
import { currentWork, type Work } from '../base/current-work.js';
import { Unavailable } from '../base/errors.js';
import { Observed, ObservedValue } from '../base/events.js';
import type { Release } from '../limits/places.js';
import { Turns } from '../limits/turns.js';
import { noWritesAfter } from './errors.js';
import { observed } from './statements.js';

/** A pool of connections, or the part of one that the requests of `games` may use. */
interface PoolState {
  readonly max: number;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}
export const pools = new ObservedValue<PoolState>();
/** The failure to get a connection of a pool. */
export const connectionsMissed = new Observed<{ readonly pool: string }>();
/** A connection that gives no answer, or whose server accepts no writes any more. Then the idle ones are dead too: all pools close them. */
export const connectionsDead = new Observed<{ readonly reason: string }>();

/** A statement or a connection failed for a reason after which other writes fail too. */
export const writesFailed = new Observed<{ readonly reason: string }>();

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

/** ALTER DATABASE, ALTER ROLE and the address may say something else (databases.test.ts). A restore looks for the name. */
const SESSION = `
  SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres'; SET TimeZone = 'UTC'; SET standard_conforming_strings = on;
  SET default_transaction_isolation = 'read committed'; SET search_path = public; SET application_name = 'ttt';`;

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
  /** The connections that requests can hold, whose networks take turns. The others are for shared work and that of the server. */
  readonly inTurns?: number;
}

/**
 * A connection whose waits end. PostgreSQL ends a statement and a wait for a lock. Without any answer the connection ends
 * itself (database-hangs.test.ts): `query_timeout` of node-postgres would keep the dead connection, and TCP notices a dead
 * network only after 15 minutes. It also ends itself when its server accepts no writes: a failover can leave connections on
 * the old primary (databases.test.ts).
 */
class BoundedClient extends pg.Client {
  /** How long an answer may take, in milliseconds. */
  private readonly answer: number | undefined;
  private deadline: NodeJS.Timeout | undefined;
  /** Why the connection answers no more. */
  private lost: string | undefined;
  private static lastDrop = -Infinity;

  constructor(config: BoundedConfig) {
    const { connect, answer, postgres } = config.limits;
    // node-postgres takes `system` for a file. An image without roots has those of Node.
    const connectionString = config.connectionString!.replace(/\bsslrootcert=system(?=&|$)/, 'sslmode=verify-full');
    super({ ...config, ...NO_LIMITS, ...postgres, connectionString, connectionTimeoutMillis: connect });
    this.answer = answer;
    const { ssl } = (this as unknown as { connectionParameters: pg.ConnectionConfig }).connectionParameters;
    const roots = connectionString === config.connectionString ? [] : getCACertificates('system');
    if (roots.length > 0) Object.assign(ssl as object, { ca: roots });
    this.on('drain', () => this.expectNothing()).on('end', () => this.expectNothing());
    this.on('error', ({ message }) => (this.lost ??= message));
  }

  /** All forms of pg's own. */
  override query(...given: never[]): never {
    if (this.answer !== undefined) this.expectAnswer(this.answer);
    const result = observed(super.query.bind(this), given);
    return (result instanceof Promise ? result.catch((error: unknown) => this.explain(error)) : result) as never;
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

/** The connections that work holds. */
const held = new WeakMap<Work, Set<pg.PoolClient>>();

/** Whether one of them is in a transaction, also in one that has failed. */
const hasTransaction = (work: Work): boolean =>
  [...(held.get(work) ?? [])].some((client) => ['T', 'E'].includes(client.getTransactionStatus() ?? ''));

/**
 * A pool that limits the time to connect, to wait for a free connection and to get an answer, and in which the networks of requests
 * take turns.
 */
export class BoundedPool extends pg.Pool {
  private readonly poolName: string | undefined;
  private readonly turns: Turns;
  private readonly wait: number | undefined;

  constructor(config: BoundedConfig) {
    const { limits, name, inTurns = Infinity } = config;
    super({
      ...config,
      connectionTimeoutMillis: limits.wait,
      keepAlive: true,
      Client: BoundedClient as unknown as pg.PoolConfig['Client'],
      // The pool waits for the answer, although its type does not say so.
      onConnect: (client: pg.ClientBase): unknown => client.query(sessionOf(limits)),
    });
    this.poolName = name;
    this.turns = new Turns(inTurns);
    this.wait = limits.wait;
    if (!name) return;
    pools.offer(name, () => this.state());
    connectionsDead.subscribe(() => this.dropIdle());
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (callback) return this.connectFor(currentWork.getStore(), callback);
    return new Promise((resolve, reject) =>
      this.connect((error, client) => (error ? reject(error) : resolve(client!))),
    );
  }

  private connectFor(work: Work | undefined, callback: Connected): void {
    // It could wait for its own connection, at once on a busy server.
    if (work && hasTransaction(work)) {
      return callback(new Error('A transaction asks for a second connection'), undefined, () => undefined);
    }
    const { address } = work ?? {};
    if (address === undefined) return this.take(work, callback);
    const waits: { until?: NodeJS.Timeout; ended?: boolean } = {};
    const leave = this.turns.enter(address, (release) => {
      waits.ended = true;
      clearTimeout(waits.until);
      this.take(work, callback, release);
    });
    if (waits.ended || this.wait === undefined) return;
    waits.until = setTimeout(() => {
      leave();
      this.fail(new Error(`No turn within ${this.wait} ms`), callback);
    }, this.wait);
  }

  /** @param release ends the turn for the connection */
  private take(work: Work | undefined, callback: Connected, release?: Release): void {
    super.connect((error, client, done) => {
      if (!client) {
        release?.();
        return this.fail(error!, callback);
      }
      const ofWork = work && (held.get(work) ?? new Set());
      if (ofWork) held.set(work, ofWork.add(client));
      const free = (destroy?: Error | boolean) => {
        ofWork?.delete(client);
        done(destroy);
        release?.();
      };
      callback(undefined, Object.assign(client, { release: free }), free);
    });
  }

  private fail(error: Error, callback: Connected): void {
    noteFailure(error);
    if (this.poolName) connectionsMissed.publish({ pool: this.poolName });
    callback(unavailable(error), undefined, () => undefined);
  }

  dropIdle(): void {
    for (let idle = this.idleCount; idle > 0; idle--) super.connect((_error, client) => client?.release(true));
  }

  private state(): PoolState {
    const { totalCount: open, idleCount: idle, waitingCount, options, turns } = this;
    return { max: options.max, open, idle, waiting: waitingCount + turns.waiting };
  }
}

function unavailable(error: NodeJS.ErrnoException): Unavailable {
  return new Unavailable(error.message || (error.code ?? error.name), { cause: error });
}
