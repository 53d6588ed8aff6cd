import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource, DataSourceOptions, EntityManager } from 'typeorm';
import { OperatorError } from '../base/errors.js';
import { connect, explain, poolOf } from './data-source.js';
import { isLockConflict } from './errors.js';
import { migrations } from './migrations.js';
import type { Limits } from './pool.js';

/** A migration gives way to requests after this time: a test in schema.test.ts holds a lock like that of a backup. */
export const LIMITS: Limits = { connect: 5_000, postgres: { lock_timeout: 800 } };

/**
 * Connects and brings the schema up to date.
 * @throws {OperatorError} when there is no connection within five seconds, or another server migrates for too long
 */
export async function openDatabase(options: DataSourceOptions): Promise<DataSource> {
  const pending = { migrations, migrationsTransactionMode: 'each' as const };
  if ('url' in options && options.url) {
    const maintenance = await connect({ ...poolOf(options.url, LIMITS, 2), ...pending });
    try {
      await migrate(maintenance).catch(explain);
    } finally {
      await maintenance.destroy();
    }
    return connect(options);
  }
  // The embedded database has one process and one connection, so it needs no lock.
  const embedded = await connect({ ...options, ...pending });
  try {
    await embedded.runMigrations();
  } catch (error) {
    await embedded.destroy();
    throw error;
  }
  return embedded;
}

/** An arbitrary number that no other program on the same database uses. */
const MIGRATION_LOCK = 7_463_201;

/**
 * Brings the schema up to date. When several servers start at once, one migrates and the others wait (schema.test.ts).
 * @param limit how long it waits, and `pause` between two attempts, in milliseconds
 * @throws {OperatorError} when another server migrates for longer than the limit
 */
export async function migrate(database: DataSource, { limit, pause } = { limit: 600_000, pause: 1_000 }) {
  const end = performance.now() + limit;
  for (let tries = 1; ; tries++) {
    const reason = await tryToMigrate(database);
    if (reason === undefined) return;
    if (performance.now() > end) {
      throw new OperatorError(`The server cannot start: after ${Math.round(limit / 1000)} seconds, ${reason}`);
    }
    if (tries === 1) new Logger('Database').warn({ event: 'migration_waits', reason });
    await sleep(pause);
  }
}

/**
 * A transaction has the lock while another connection migrates, because some migrations run outside of a transaction. It ends with
 * its connection, also behind PgBouncer, so no crash leaves the lock behind. A server that waits asks again in a new transaction:
 * a snapshot would stop `CREATE INDEX CONCURRENTLY`, and only READ COMMITTED has none between its statements. Such a migration
 * begins with `SET lock_timeout = 0`, because an interrupted one leaves an invalid index.
 * @returns what is in the way, for the operator; undefined when the schema is up to date
 */
function tryToMigrate(database: DataSource): Promise<string | undefined> {
  return database.transaction('READ COMMITTED', async (transaction) => {
    const [{ free }] = await transaction.query<[{ free: boolean }]>('SELECT pg_try_advisory_xact_lock($1) AS free', [
      MIGRATION_LOCK,
    ]);
    if (!free) return holderOf(transaction);
    try {
      await database.runMigrations();
      return undefined;
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      return `a migration still waits: ${String(error)}`;
    }
  });
}

async function holderOf(transaction: EntityManager): Promise<string> {
  const [holder] = await transaction.query<{ pid: number }[]>(
    `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = $1 AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [MIGRATION_LOCK],
  );
  const pid = holder?.pid ?? 'pid';
  return (
    `another server migrates the database, in process ${pid} of PostgreSQL. Wait until it is ready, then start this one again. ` +
    `If no such server runs, end it: SELECT pg_terminate_backend(${pid}).`
  );
}
