import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../env.js';
import { BoundedPool } from './bounded-pool.js';
import { APPLICATION_NAME } from './data-source.js';
import { READINESS_LIMITS } from './limits.js';

/** Tells whether the database is there. However many ask at the same time, it is asked once. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  /** A connection beside the pool: a pool that is busy says nothing about the database. */
  private readonly own: BoundedPool | undefined;
  private asked: Promise<boolean> | undefined;

  constructor(
    env: Env,
    @InjectDataSource() private readonly database: DataSource,
  ) {
    if (!env.databaseUrl) return;
    this.own = new BoundedPool({
      connectionString: env.databaseUrl,
      application_name: APPLICATION_NAME,
      max: 1,
      idleTimeoutMillis: 60_000,
      limits: READINESS_LIMITS,
    });
    // It has left the pool already, and the next question takes a new one.
    this.own.on('error', () => undefined);
  }

  /** Whether the database answers. */
  isReady(): Promise<boolean> {
    return (this.asked ??= this.ask().finally(() => (this.asked = undefined)));
  }

  async onModuleDestroy(): Promise<void> {
    await this.own?.end();
  }

  private async ask(): Promise<boolean> {
    const { own } = this;
    // The embedded database has one session.
    if (!own) return answers(() => this.database.query('SELECT 1'));
    const again = own.totalCount > 0;
    if (await answers(() => own.query('SELECT 1'))) return true;
    // The connection was an old one. Those of the pool are no younger.
    if (!again || !(await answers(() => own.query('SELECT 1')))) return false;
    const { master } = this.database.driver as unknown as { master: unknown };
    if (master instanceof BoundedPool) master.dropIdle();
    return true;
  }
}

async function answers(question: () => Promise<unknown>): Promise<boolean> {
  try {
    await question();
    return true;
  } catch {
    return false;
  }
}
