import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { DataSource, type DataSourceOptions, QueryFailedError } from 'typeorm';
import type { Env } from '../env.js';
import { BoundedPool } from './bounded-pool.js';
import { embeddedDriver } from './embedded.js';
import { POOL_SIZE, REQUEST_LIMITS } from './limits.js';
import { migrations } from './migrations/index.js';

export const APPLICATION_NAME = 'tic-tac-toe';

/** An arbitrary number that no other program on the same database uses. The fold of score changes has 7463202. */
const MIGRATION_LOCK = 7_463_201;

/** How long a migration may wait for its locks, and the pause between two attempts, in milliseconds. */
const MIGRATION_PATIENCE = 10 * 60_000;
const MIGRATION_PAUSE = 1_000;

/** Statements of requests have time limits; statements of maintenance have none. */
export type Use = 'requests' | 'maintenance';

/**
 * PostgreSQL where `DATABASE_URL` names one, the embedded database otherwise.
 * @throws {DataDirInUseError} when another process holds the data folder
 */
export async function databaseOptions(env: Env, use: Use = 'requests'): Promise<DataSourceOptions> {
  return {
    type: 'postgres',
    migrations,
    migrationsTransactionMode: 'each',
    // The schema uses `gen_random_uuid()`, which is built in: no extension is needed.
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    connectTimeoutMS: 5_000,
    ...(env.databaseUrl
      ? { url: env.databaseUrl, applicationName: APPLICATION_NAME, ...poolFor(use) }
      : { driver: await embeddedDriver(env.dataDir) }),
  };
}

function poolFor(use: Use): Pick<PostgresOptions, 'driver' | 'poolSize' | 'extra'> {
  if (use === 'requests')
    return { driver: { Pool: BoundedPool }, poolSize: POOL_SIZE, extra: { limits: REQUEST_LIMITS } };
  // A pooler or a role may set time limits of its own.
  const onConnect = (client: { query(text: string): Promise<unknown> }) =>
    client.query('SET lock_timeout = 0; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
  return { driver: undefined, poolSize: 2, extra: { keepAlive: true, onConnect } };
}

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** There is no connection: wrong host, wrong password, unknown database or no answer. */
export class DatabaseUnreachableError extends Error {
  constructor(cause: unknown) {
    super(`The database at DATABASE_URL cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'DatabaseUnreachableError';
  }
}

/**
 * Connects and brings the schema up to date.
 * @throws {DatabaseUnreachableError} when there is no connection within five seconds
 */
export async function openDatabase(options: DataSourceOptions): Promise<DataSource> {
  if ('url' in options) {
    const upkeep = await connect({ ...(options as PostgresOptions), entities: [], ...poolFor('maintenance') });
    try {
      await migrateAlone(upkeep);
    } finally {
      await upkeep.destroy();
    }
    return connect(options);
  }
  // The embedded database has one process and one connection, so it needs no lock.
  const embedded = await connect(options);
  try {
    await embedded.runMigrations();
  } catch (error) {
    await embedded.destroy();
    throw error;
  }
  return embedded;
}

/** When several servers start at once, one migrates and the others wait until it is done. */
async function migrateAlone(dataSource: DataSource): Promise<void> {
  const holder = dataSource.createQueryRunner();
  try {
    await holder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      await migratePatiently(dataSource);
    } finally {
      await holder.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    await holder.release();
  }
}

/** A migration that does not get a lock soon gives way to requests, and starts again after a pause. */
async function migratePatiently(dataSource: DataSource): Promise<void> {
  const end = performance.now() + MIGRATION_PATIENCE;
  for (let tries = 1; ; tries++) {
    try {
      await dataSource.runMigrations();
      return;
    } catch (error) {
      if (!isLockConflict(error) || performance.now() > end) throw error;
      if (tries === 1) new Logger('Database').warn({ event: 'migration_waits', reason: String(error) });
    }
    await sleep(MIGRATION_PAUSE);
  }
}

/** The lock timeout has passed, or the migration has ended a deadlock. */
function isLockConflict(error: unknown): boolean {
  const { code } = error instanceof QueryFailedError ? (error.driverError as { code?: string }) : {};
  return code === '55P03' || code === '40P01';
}

async function connect(options: DataSourceOptions): Promise<DataSource> {
  return new DataSource(options).initialize().catch((error: unknown) => {
    throw new DatabaseUnreachableError(error);
  });
}
