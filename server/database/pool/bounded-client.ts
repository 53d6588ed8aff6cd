import type { Duplex } from 'node:stream';
import pg from 'pg';
import { type Hosts, inspect } from './hosts.js';
import type { Limits } from './limits.js';
import { withName, withoutName } from './named-statements.js';
import { observed } from './observed-statements.js';
import { DatabaseUnavailable } from '../errors/unavailable.js';

export interface BoundedConfig extends pg.PoolConfig {
  /** The name of the pool in the metrics. A pool of a short life has none. */
  readonly name?: string;
  readonly limits: Limits;
  readonly hosts: Hosts;
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: read_only_sql_transaction */
const READ_ONLY = '25006';

/** The statement with which TypeORM begins every transaction. */
const BEGIN = 'START TRANSACTION';

/** The parts of node-postgres that its types do not have. */
interface Internals {
  readonly connection: pg.Connection & {
    readonly stream: Duplex;
    connect(port: number, host: string): void;
    requestSsl(): void;
    cancel(processId: number, secret: number): void;
  };
  readonly processID: number;
  readonly secretKey: number;
  readonly ssl: unknown;
  getTransactionStatus(): string | null;
}

/**
 * A connection whose waits end, without settings of the session: behind a pooler, each transaction may get another one.
 *
 * - Frequent statements have a name. Behind a pooler none has, because it would stay in one of the pooler's connections.
 * - A transaction begins with the limits for PostgreSQL, in the same message.
 * - The client cancels a slow statement outside of a transaction.
 * - Without any answer the connection destroys itself and emits `silent`. `query_timeout` of node-postgres would keep the
 *   dead connection, and TCP notices a dead network only after 15 minutes.
 *
 * Cursors have no limit: their reader decides how long a pause may be. The event `readOnly` says that the host does not
 * accept writes.
 */
export class BoundedClient extends pg.Client {
  /** The pool must not use this connection again. */
  isSpent = false;
  private readonly limits: Limits;
  private readonly hosts: Hosts;
  /** Whether a pooler answers, which may give each transaction another connection of its own. */
  private isShared = false;
  private deadline: NodeJS.Timeout | undefined;

  constructor(config: BoundedConfig) {
    const { hosts, limits } = config;
    super({ ...config, connectionString: hosts.current, connectionTimeoutMillis: limits.connect });
    this.limits = limits;
    this.hosts = hosts;
    const begin = beginWith(limits);
    const send = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      const isCursor = typeof (given[0] as Partial<pg.Submittable>).submit === 'function';
      if (!isCursor) this.expectAnswer();
      if (given[0] === BEGIN) given[0] = begin;
      else if (!isCursor && this.isShared) given[0] = withoutName(given[0]);
      else if (!isCursor) {
        const statement = withName(given[0], given[1]);
        if (statement) given.splice(0, 2, statement);
      }
      const answer = isCursor ? send(...given) : observed(send, given);
      return answer instanceof Promise ? answer.catch((error: unknown) => this.explain(error)) : answer;
    }) as typeof this.query;
    this.on('drain', () => this.expectNothing()).on('end', () => this.expectNothing());
    this.internals.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code !== READ_ONLY) return;
      this.isSpent = true;
      this.emit('readOnly');
    });
  }

  /**
   * Checks a new connection.
   * @throws {DatabaseUnavailable} when its host must accept writes and does not
   */
  async check(): Promise<void> {
    const { pid, readOnly } = await inspect(this);
    if (readOnly && this.hosts.findsPrimary) throw new DatabaseUnavailable('The host does not accept writes');
    // A pooler tells an invented id.
    this.isShared = pid !== this.internals.processID;
  }

  /** Closes the connection at once. Its pending statements fail, and the pool drops it. */
  destroy(reason: string): void {
    this.internals.connection.stream.destroy(new DatabaseUnavailable(reason));
  }

  private expectAnswer(): void {
    const { statement, answer } = this.limits;
    if (answer === undefined) return;
    if (statement === undefined) return this.after(answer, () => this.giveUp(answer));
    this.after(statement, () => {
      // In a transaction, PostgreSQL cancels the statement itself.
      if (this.internals.getTransactionStatus() === 'I') this.cancel();
      this.after(answer - statement, () => this.giveUp(answer));
    });
  }

  private after(ms: number, act: () => void): void {
    clearTimeout(this.deadline);
    const deadline = setTimeout(() => {
      // An answer may have arrived while the event loop was busy: read it first.
      setImmediate(() => {
        if (this.deadline === deadline) act();
      });
    }, ms);
    this.deadline = deadline;
  }

  private expectNothing(): void {
    clearTimeout(this.deadline);
    this.deadline = undefined;
  }

  private giveUp(limit: number): void {
    this.destroy(`No answer within ${limit} ms`);
    this.emit('silent');
  }

  /** Asks PostgreSQL to cancel the running statement. The request may arrive late, so this connection gets no other one. */
  private cancel(): void {
    this.isSpent = true;
    const { processID, secretKey, ssl } = this.internals;
    const messenger = new pg.Connection({ ssl } as pg.ConnectionConfig) as Internals['connection'];
    const give = setTimeout(() => messenger.stream.destroy(), this.limits.connect);
    const send = () => messenger.cancel(processID, secretKey);
    messenger.on('connect', () => (ssl ? messenger.requestSsl() : send()));
    messenger.on('sslconnect', send);
    // The connection is destroyed soon when the request is lost.
    messenger.on('error', () => undefined);
    messenger.on('end', () => clearTimeout(give));
    messenger.connect(this.port, this.host);
  }

  private explain(error: unknown): never {
    if (error instanceof Error && !(error instanceof pg.DatabaseError) && this.internals.connection.stream.destroyed) {
      throw new DatabaseUnavailable(error.message, error);
    }
    throw error;
  }

  private get internals(): Internals {
    return this as unknown as Internals;
  }
}

function beginWith({ transaction }: Limits): string {
  if (!transaction) return BEGIN;
  const { lock, statement, idle } = transaction;
  return (
    `${BEGIN}; SET LOCAL lock_timeout = ${lock}; SET LOCAL statement_timeout = ${statement}; ` +
    `SET LOCAL idle_in_transaction_session_timeout = ${idle}`
  );
}
