import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Env } from '../env.js';
import { BoundedPool } from './bounded-pool.js';
import { embeddedDriver } from './embedded.js';
import { Hosts } from './hosts.js';
import { type Limits, MAINTENANCE_LIMITS, MIGRATION_LIMITS, requestLimits } from './limits.js';
import { migrate } from './migrate.js';
import { migrations } from './migrations/index.js';

export const APPLICATION_NAME = 'tic-tac-toe';

/** Statements of requests have time limits; statements of maintenance have none. */
export type Use = 'requests' | 'maintenance';

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/**
 * PostgreSQL where `DATABASE_URL` names one, the embedded database otherwise.
 * @throws {DataDirInUseError} when another process holds the data folder
 */
export async function databaseOptions(env: Env, use: Use = 'requests'): Promise<DataSourceOptions> {
  const { databaseUrl, database } = env;
  if (!databaseUrl) return { ...BASE, driver: await embeddedDriver(env.dataDir) };
  const hosts = new Hosts(databaseUrl);
  return use === 'requests'
    ? poolOf(hosts, requestLimits(database), database.poolSize, use)
    : poolOf(hosts, MAINTENANCE_LIMITS, 2);
}

const BASE: PostgresOptions = {
  type: 'postgres',
  migrations,
  migrationsTransactionMode: 'each',
  // The schema uses `gen_random_uuid()`, which is built in: no extension is needed.
  installExtensions: false,
  uuidExtension: 'pgcrypto',
};

/** The options of a pool of connections to PostgreSQL. With a name, the pool appears in the metrics. */
export function poolOf(hosts: Hosts, limits: Limits, poolSize: number, name?: string): PostgresOptions {
  return {
    ...BASE,
    // TypeORM reads the name of the database from it. The pool itself asks `hosts`.
    url: hosts.current,
    applicationName: APPLICATION_NAME,
    driver: { Pool: BoundedPool },
    poolSize,
    extra: { limits, hosts, name },
  };
}

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
 * @throws {MigrationLockedError} when another server migrates for too long
 */
export async function openDatabase(options: DataSourceOptions): Promise<DataSource> {
  if ('url' in options) {
    const { url, migrations: pending } = options as PostgresOptions;
    const { hosts = new Hosts(url!) } = (options.extra ?? {}) as { hosts?: Hosts };
    const upkeep = await connect({ ...poolOf(hosts, MIGRATION_LIMITS, 2), migrations: pending });
    try {
      await migrate(upkeep);
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

/**
 * Connects, and leaves the schema as it is.
 * @throws {DatabaseUnreachableError} when there is no connection within five seconds
 */
export async function connect(options: DataSourceOptions): Promise<DataSource> {
  return new DataSource(options).initialize().catch((error: unknown) => {
    throw new DatabaseUnreachableError(error);
  });
}
