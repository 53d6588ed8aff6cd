import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Limits } from './limits.js';
import { withName } from './named-statements.js';
import { observed } from './observed-statements.js';
import { Unavailable } from '../../base/errors.js';

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
export class BoundedClient extends pg.Client {
  private readonly stream: Duplex;
  private deadline: NodeJS.Timeout | undefined;

  constructor(config: BoundedConfig) {
    const { connect, answer, postgres } = config.limits;
    super({ ...config, ...postgres, connectionTimeoutMillis: connect });
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
