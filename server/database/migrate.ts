import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { isLockConflict } from './errors/sql-state.js';
import { type Patience, takeMigrationLock } from './migration-lock.js';

const DEFAULT: Patience = { limit: 10 * 60_000, pause: 1_000 };

/**
 * Brings the schema up to date. When several servers start at once, one migrates and the others wait until it is done.
 * @throws {OperatorError} when another server migrates for longer than the limit
 */
export async function migrate(dataSource: DataSource, patience: Patience = DEFAULT): Promise<void> {
  const lock = await takeMigrationLock(dataSource, patience);
  try {
    await Promise.race([migratePatiently(dataSource, patience), lock.lost]);
  } finally {
    await lock.release();
  }
}

/** A migration that does not get a lock soon gives way to requests, and starts again after a pause. */
async function migratePatiently(dataSource: DataSource, { limit, pause }: Patience): Promise<void> {
  const end = performance.now() + limit;
  for (let tries = 1; ; tries++) {
    try {
      await dataSource.runMigrations();
      return;
    } catch (error) {
      if (!isLockConflict(error) || performance.now() > end) throw error;
      if (tries === 1) new Logger('Database').warn({ event: 'migration_waits', reason: String(error) });
    }
    await sleep(pause);
  }
}
