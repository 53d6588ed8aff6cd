import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { BoundedPool } from './bounded-pool.js';
import { APPLICATION_NAME } from './data-source.js';
import { hostsOf } from './hosts.js';
import { READINESS_LIMITS } from './limits.js';
import { readiness } from './database-events.js';

/** Checks whether the database answers. Concurrent callers share one check. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  /** A separate connection: a busy pool says nothing about the database. */
  private readonly own: BoundedPool | undefined;
  private pending: Promise<boolean> | undefined;

  constructor(@InjectDataSource() private readonly database: DataSource) {
    readiness.offer('database', () => this.isReady());
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

  /** Whether the database answers. */
  isReady(): Promise<boolean> {
    return (this.pending ??= this.check().finally(() => (this.pending = undefined)));
  }

  async onModuleDestroy(): Promise<void> {
    await this.own?.end();
  }

  private async check(): Promise<boolean> {
    const { own } = this;
    // The embedded database has one session.
    if (!own) return answers(() => this.database.query('SELECT 1'));
    const reused = own.totalCount > 0;
    if (await answers(() => own.query('SELECT 1'))) return true;
    // Only the old connection was dead, so the idle connections of the pool are dead too.
    if (!reused || !(await answers(() => own.query('SELECT 1')))) return false;
    const { master } = this.database.driver as unknown as { master: unknown };
    if (master instanceof BoundedPool) master.dropIdle();
    return true;
  }
}

async function answers(query: () => Promise<unknown>): Promise<boolean> {
  try {
    await query();
    return true;
  } catch {
    return false;
  }
}
