import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Env } from '../env.js';
import { BoundedPool } from './bounded-pool.js';
import { embeddedDriver } from './embedded.js';
import { POOL_SIZE, REQUEST_LIMITS } from './limits.js';
import { migrations } from './migrations/index.js';

export const APPLICATION_NAME = 'tic-tac-toe';

/** An arbitrary number that no other program on the same database uses. */
const MIGRATION_LOCK = 7_463_201;

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
  await holder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  await dataSource.runMigrations();
  await holder.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  await holder.release();
}

async function connect(options: DataSourceOptions): Promise<DataSource> {
  return new DataSource(options).initialize().catch((error: unknown) => {
    throw new DatabaseUnreachableError(error);
  });
}
