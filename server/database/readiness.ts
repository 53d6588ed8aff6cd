import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { BoundedPool } from './pool/bounded-pool.js';
import { APPLICATION_NAME } from './data-source.js';
import { hostsOf } from './pool/hosts.js';
import { READINESS_LIMITS } from './pool/limits.js';
import { readiness } from './database-events.js';

export type DatabaseState = 'ready' | 'unreachable' | 'read_only';

/** True on a standby, and where `default_transaction_read_only` is on. */
const READ_ONLY = `SELECT current_setting('transaction_read_only')::boolean AS "readOnly"`;
interface ReadOnlyRow {
  readonly readOnly: boolean;
}

/** Checks whether the database accepts writes. Concurrent callers share one check. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  /** A separate connection: a busy pool says nothing about the database. */
  private readonly own: BoundedPool | undefined;
  private pending: Promise<DatabaseState> | undefined;

  constructor(@InjectDataSource() private readonly database: DataSource) {
    readiness.offer('database', async () => (await this.state()) === 'ready');
    const hosts = hostsOf(database);
    if (!hosts) return;
    this.own = new BoundedPool({
      name: 'readiness',
      hosts,
      application_name: APPLICATION_NAME,
      max: 1,
      idleTimeoutMillis: 60_000,
      limits: READINESS_LIMITS,
    });
    // The pool has dropped the connection already; the next check opens a new one.
    this.own.on('error', () => undefined);
  }

  /** What the database says of itself: a standby or a read-only database counts no games. */
  state(): Promise<DatabaseState> {
    return (this.pending ??= this.check().finally(() => (this.pending = undefined)));
  }

  async onModuleDestroy(): Promise<void> {
    await this.own?.end();
  }

  private async check(): Promise<DatabaseState> {
    const { own } = this;
    // The embedded database has one session.
    if (!own) return stateFrom(this.database.query<ReadOnlyRow[]>(READ_ONLY));
    const ask = () => stateFrom(own.query<ReadOnlyRow>(READ_ONLY).then(({ rows }) => rows));
    const reused = own.totalCount > 0;
    const state = await ask();
    if (state === 'ready' || !reused) return state;
    // A new connection finds the primary.
    own.dropIdle();
    const again = await ask();
    // Only the old connection was unusable, so the idle connections of the pool are unusable too.
    const { master } = this.database.driver as unknown as { master: unknown };
    if (again === 'ready' && master instanceof BoundedPool) master.dropIdle();
    return again;
  }
}

async function stateFrom(rows: Promise<ReadOnlyRow[]>): Promise<DatabaseState> {
  try {
    const [row] = await rows;
    return row?.readOnly ? 'read_only' : 'ready';
  } catch {
    return 'unreachable';
  }
}
