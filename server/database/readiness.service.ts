import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { forAll } from '../base/current-work.js';
import { ObservedValue } from '../base/events.js';
import { SingleFlight } from '../base/single-flight.js';
import { poolBeside } from './data-source.js';
import { type NoWrites, noWritesAfter } from './errors.js';
import { connectionsDead, type Limits, writesFailed } from './pool.js';

/** Why the server cannot serve requests, if it cannot. */
export const notReady = new ObservedValue<Promise<string | undefined>>();

/** The seconds since the newest backup; not a number while the database does not answer. */
export const backupAge = new ObservedValue<Promise<number>>();
const BACKUP_AGE = 'SELECT extract(epoch FROM now() - max(saved_at))::float8 AS age FROM backups';

/** Two attempts fit into the five seconds of a health check. */
const LIMITS: Limits = { connect: 2_000, wait: 2_000, answer: 2_000 };

type NotReady = NoWrites | 'database_unreachable';

/** True on a standby, and where `default_transaction_read_only` is on. */
const READ_ONLY = `SELECT current_setting('transaction_read_only')::boolean AS "readOnly"`;

/** Needs a megabyte of new disk, which a row may find in a page that is there, and leaves nothing. */
export const TRY_TO_WRITE = `DO $$ BEGIN
  CREATE TABLE ttt_write AS SELECT repeat('x', 1000) FROM generate_series(1, 1000);
  DROP TABLE ttt_write;
END $$`;

/** Checks whether the database accepts writes. Concurrent callers share one check. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  /** A separate connection: a busy pool says nothing about the database. */
  private readonly own;
  /** A write has failed, and none has succeeded since. */
  private isInDoubt = false;
  private readonly checks = new SingleFlight(() => forAll(() => this.check()));

  constructor(@InjectDataSource() private readonly database: DataSource) {
    backupAge.offer('database', () =>
      this.query<{ age: number }>(BACKUP_AGE).then(
        ([row]) => row!.age,
        () => NaN,
      ),
    );
    writesFailed.subscribe(() => (this.isInDoubt = true));
    this.own = poolBeside(database, { name: 'readiness', max: 1, idleTimeoutMillis: 60_000, limits: LIMITS });
  }

  problem(): Promise<NotReady | undefined> {
    return this.checks.run();
  }

  async onModuleDestroy(): Promise<void> {
    await this.own?.end();
  }

  private async check(): Promise<NotReady | undefined> {
    const { own } = this;
    const reused = own !== undefined && own.totalCount > 0;
    const reason = await this.ask();
    if (!reason || !reused) return reason;
    // The connection is dead, or leads to a host that is the primary no more.
    own.dropIdle();
    const again = await this.ask();
    // Only the old connection was unusable.
    if (!again) connectionsDead.publish({ reason });
    return again;
  }

  private query<Row extends object>(text: string): Promise<Row[]> {
    return this.own?.query<Row>(text).then(({ rows }) => rows) ?? this.database.query<Row[]>(text);
  }

  private async ask(): Promise<NotReady | undefined> {
    try {
      const [row] = await this.query<{ readOnly: boolean }>(READ_ONLY);
      if (row?.readOnly) return 'database_read_only';
      // By the connections of the requests, which may be the ones that are missing.
      if (this.isInDoubt) await this.database.query(TRY_TO_WRITE);
      this.isInDoubt = false;
      return undefined;
    } catch (error) {
      return noWritesAfter(error) ?? 'database_unreachable';
    }
  }
}
