import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ObservedValue } from '../base/events.js';
import { SingleFlight } from '../base/single-flight.js';
import { poolBeside } from './data-source.js';
import { connectionsDead, type Limits } from './pool.js';

/** Whether the server can serve requests: all must be true. */
export const readiness = new ObservedValue<Promise<boolean>>();

/** Two attempts fit into the five seconds of a health check. */
const LIMITS: Limits = { connect: 2_000, wait: 2_000, answer: 2_000 };

export type DatabaseState = 'ready' | 'unreachable' | 'read_only';

/** True on a standby, and where `default_transaction_read_only` is on. */
const READ_ONLY = `SELECT current_setting('transaction_read_only')::boolean AS "readOnly"`;
type Answer = { readonly readOnly: boolean }[];

/** Checks whether the database accepts writes. Concurrent callers share one check. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  /** A separate connection: a busy pool says nothing about the database. */
  private readonly own;
  private readonly checks = new SingleFlight(() => this.check());

  constructor(@InjectDataSource() private readonly database: DataSource) {
    readiness.offer('database', async () => (await this.state()) === 'ready');
    this.own = poolBeside(database, {
      name: 'readiness',
      max: 1,
      idleTimeoutMillis: 60_000,
      limits: LIMITS,
    });
  }

  /** What the database says of itself: a standby or a read-only database counts no games. */
  state(): Promise<DatabaseState> {
    return this.checks.run();
  }

  async onModuleDestroy(): Promise<void> {
    await this.own?.end();
  }

  private async check(): Promise<DatabaseState> {
    const { own } = this;
    const reused = own !== undefined && own.totalCount > 0;
    const state = await this.ask();
    if (state === 'ready' || !reused) return state;
    // The connection is dead, or leads to a host that is the primary no more.
    own.dropIdle();
    const again = await this.ask();
    // Only the old connection was unusable.
    if (again === 'ready') connectionsDead.publish({ reason: state });
    return again;
  }

  private async ask(): Promise<DatabaseState> {
    try {
      const answer = await (this.own?.query(READ_ONLY).then(({ rows }) => rows as Answer) ??
        this.database.query<Answer>(READ_ONLY));
      return answer[0]?.readOnly ? 'read_only' : 'ready';
    } catch {
      return 'unreachable';
    }
  }
}
