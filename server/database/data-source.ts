import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Env } from '../env.js';
import { embeddedDriver } from './embedded.js';
import { migrations } from './migrations/index.js';

/** Any number will do, so long as no other program on the same database takes the same. */
const MIGRATION_LOCK = 7_463_201;

/** A statement that hangs must not hold a connection, or a row's lock, for ever. Milliseconds. */
const SERVER_LIMITS = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 15_000, keepAlive: true };

/**
 * PostgreSQL where `DATABASE_URL` names one, the embedded database otherwise.
 * @throws {DataDirInUseError} when another process holds the data folder
 */
export async function databaseOptions(env: Env): Promise<DataSourceOptions> {
  return {
    type: 'postgres',
    migrations,
    migrationsTransactionMode: 'each',
    // The schema uses `gen_random_uuid()`, which is built in: no extension is needed.
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    connectTimeoutMS: 5_000,
    ...(env.databaseUrl
      ? { url: env.databaseUrl, poolSize: 10, applicationName: 'tic-tac-toe', extra: SERVER_LIMITS }
      : { driver: await embeddedDriver(env.dataDir) }),
  };
}

/** Wrong host, wrong password, no such database, nobody there: PostgreSQL's own words say which. */
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
  const dataSource = await new DataSource(options).initialize().catch((error: unknown) => {
    throw new DatabaseUnreachableError(error);
  });
  try {
    await migrate(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  return dataSource;
}

/** Several servers may start at once on one database: one migrates, the others wait for it. */
async function migrate(dataSource: DataSource): Promise<void> {
  if (!('url' in dataSource.options)) {
    // The embedded database has one process and one connection: a lock held beside the migrations would block them.
    await dataSource.runMigrations();
    return;
  }
  const holder = dataSource.createQueryRunner();
  try {
    await holder.query('SET statement_timeout = 0');
    await holder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.runMigrations();
  } finally {
    await holder.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await holder.query('RESET statement_timeout').catch(() => undefined);
    await holder.release();
  }
}
