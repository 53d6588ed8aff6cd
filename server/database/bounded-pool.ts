import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Limits } from './limits.js';
import { DatabaseUnavailable } from './unavailable.js';

export interface BoundedConfig extends pg.PoolConfig {
  readonly limits: Limits;
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * A connection that destroys itself and emits `silent` when a statement gets no answer in time. `query_timeout` of
 * node-postgres would keep the dead connection, and TCP notices a dead network only after 15 minutes. Cursors have no
 * limit: their reader decides how long a pause may be.
 */
class BoundedClient extends pg.Client {
  private readonly limit: number;
  private deadline: NodeJS.Timeout | undefined;

  constructor(config: BoundedConfig) {
    super({ ...config, connectionTimeoutMillis: config.limits.connect });
    this.limit = config.limits.answer;
    const send = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      if (typeof (given[0] as Partial<pg.Submittable>).submit !== 'function') this.expectAnswer();
      const answer = send(...given);
      return answer instanceof Promise ? answer.catch((error: unknown) => this.explain(error)) : answer;
    }) as typeof this.query;
    this.on('drain', () => this.expectNothing()).on('end', () => this.expectNothing());
  }

  /** Closes the connection at once. Its pending statements fail, and the pool drops it. */
  destroy(reason: string): void {
    this.socket.destroy(new DatabaseUnavailable(reason));
  }

  private expectAnswer(): void {
    clearTimeout(this.deadline);
    const deadline = setTimeout(() => {
      // An answer may have arrived while the event loop was busy: read it first.
      setImmediate(() => {
        if (this.deadline !== deadline) return;
        this.destroy(`No answer within ${this.limit} ms`);
        this.emit('silent');
      });
    }, this.limit);
    this.deadline = deadline;
  }

  private expectNothing(): void {
    clearTimeout(this.deadline);
    this.deadline = undefined;
  }

  private explain(error: unknown): never {
    if (error instanceof Error && !(error instanceof pg.DatabaseError) && this.socket.destroyed) {
      throw new DatabaseUnavailable(error.message, error);
    }
    throw error;
  }

  private get socket(): Duplex {
    return (this as unknown as { connection: { stream: Duplex } }).connection.stream;
  }
}

/** A pool that limits the time to connect, to wait for a free connection and to get an answer. */
export class BoundedPool extends pg.Pool {
  private readonly idle = new Set<pg.PoolClient>();

  constructor(config: BoundedConfig) {
    const { limits } = config;
    super({
      ...config,
      connectionTimeoutMillis: limits.wait,
      keepAlive: true,
      Client: BoundedClient as unknown as pg.PoolConfig['Client'],
      // PgBouncer refuses startup parameters, so these are statements.
      onConnect: limits.session && setting(limits.session),
    });
    this.on('connect', (client) => void (client as EventEmitter).once('silent', () => this.dropIdle()));
    this.on('acquire', (client) => void this.idle.delete(client));
    this.on('release', (_error, client) => void this.idle.add(client));
    this.on('remove', (client) => void this.idle.delete(client));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const unavailable = (error: NodeJS.ErrnoException) =>
      new DatabaseUnavailable(error.message || (error.code ?? error.name), error);
    if (!callback) {
      return super.connect().catch((error: Error) => {
        throw unavailable(error);
      });
    }
    super.connect((error, client, done) => callback(error && unavailable(error), client, done));
  }

  /** Closes all idle connections: when one connection is dead, the others are dead too. */
  dropIdle(): void {
    for (const client of this.idle) (client as unknown as BoundedClient).destroy('Another connection is dead');
  }
}

function setting({ lock, statement, idleInTransaction }: NonNullable<Limits['session']>): pg.PoolConfig['onConnect'] {
  const text =
    `SET lock_timeout = ${lock}; SET statement_timeout = ${statement}; ` +
    `SET idle_in_transaction_session_timeout = ${idleInTransaction}`;
  // The pool awaits the promise, although its types say void.
  return ((client) => client.query(text)) as (client: pg.ClientBase) => void;
}
