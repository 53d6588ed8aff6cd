import { type DataSource, type DataSourceOptions } from 'typeorm';
import { connect, poolOf } from './data-source.js';
import { MIGRATION_LIMITS } from './pool/limits.js';
import { migrate } from './migrate.js';
import { migrations } from './migrations/index.js';

/**
 * Connects and brings the schema up to date.
 * @throws {OperatorError} when there is no connection within five seconds
 * @throws {OperatorError} when another server migrates for too long
 */
export async function openDatabase(options: DataSourceOptions): Promise<DataSource> {
  const pending = { migrations, migrationsTransactionMode: 'each' as const };
  if ('url' in options && options.url) {
    const maintenance = await connect({ ...poolOf(options.url, MIGRATION_LIMITS, 2), ...pending });
    try {
      await migrate(maintenance);
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
