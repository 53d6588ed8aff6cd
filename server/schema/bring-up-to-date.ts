import type { DataSource, EntityManager } from 'typeorm';
import { applyFunctions } from './apply-functions.js';
import { migrations, TAKEN_OVER } from './migrations/index.js';
import { schemaState, timeOf } from './schema-state.js';
import { tables } from './tables/index.js';

/** The database is of a version that this one cannot take over. The message says what to install first. */
export class SchemaTooOldError extends Error {
  override readonly name = 'SchemaTooOldError';

  constructor(newest: string) {
    super(
      `The database is of an earlier version: its newest migration is ${newest}, and this version takes over databases from ` +
        `${TAKEN_OVER} on. Start the last server of version 0.1.0 on it once, then this one.`,
    );
  }
}

/**
 * Creates the declared tables in an empty database, and migrates any other one. The functions follow their declared texts,
 * unless a later version has been here.
 * @throws {SchemaTooOldError}
 */
export async function bringUpToDate(dataSource: DataSource): Promise<void> {
  const { applied, unknown } = await schemaState(dataSource);
  if (applied.length === 0) return dataSource.transaction(create);
  const newest = applied.at(-1)!;
  if (timeOf(newest) < timeOf(TAKEN_OVER)) throw new SchemaTooOldError(newest);
  await dataSource.runMigrations();
  if (unknown.length === 0) await applyFunctions(dataSource);
}

/** The table of the migrations is that of TypeORM. */
const MIGRATIONS = `
  CREATE TABLE IF NOT EXISTS migrations (
    id serial NOT NULL,
    timestamp bigint NOT NULL,
    name character varying NOT NULL,
    CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id)
  )`;

async function create(transaction: EntityManager): Promise<void> {
  await transaction.query(MIGRATIONS);
  // A trigger of a table names its function.
  await applyFunctions(transaction);
  for (const table of tables) await transaction.query(table);
  await transaction.query('SELECT create_games_months(now())');
  for (const { name } of migrations) {
    await transaction.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [timeOf(name), name]);
  }
}
