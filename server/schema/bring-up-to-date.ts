import type { DataSource, EntityManager } from 'typeorm';
import { applyFunctions } from './apply-functions.js';
import { migrations, TAKEN_OVER } from './migrations/index.js';
import { schemaState, timeOf } from './schema-state.js';
import { tables } from './tables/index.js';

/** This version cannot take over the database now. The message says what to do first. */
export class TakeOverRefusedError extends Error {
  override readonly name = 'TakeOverRefusedError';
}

/** The name of the connections of the versions before the declared tables. */
const EARLIER_SERVERS = 'tic-tac-toe';

/**
 * Creates the declared tables in an empty database, and migrates any other one. The functions follow their declared texts,
 * unless a later version has been here.
 * @throws {TakeOverRefusedError}
 */
export async function bringUpToDate(dataSource: DataSource): Promise<void> {
  const { applied, unknown } = await schemaState(dataSource);
  if (applied.length === 0) return dataSource.transaction(create);
  const newest = applied.at(-1)!;
  if (timeOf(newest) <= timeOf(TAKEN_OVER)) await requireTakeOver(dataSource, newest);
  await dataSource.runMigrations();
  if (unknown.length === 0) await applyFunctions(dataSource);
}

/** Servers of the versions before would answer each game with an error after the takeover. */
async function requireTakeOver(dataSource: DataSource, newest: string): Promise<void> {
  if (timeOf(newest) < timeOf(TAKEN_OVER)) {
    throw new TakeOverRefusedError(
      `The database is of an earlier version: its newest migration is ${newest}, and this version takes over databases from ` +
        `${TAKEN_OVER} on. Start the last server with that migration on it once, then this one.`,
    );
  }
  const [{ connections }] = await dataSource.query<[{ connections: number }]>(
    'SELECT count(*)::integer AS connections FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
    [EARLIER_SERVERS],
  );
  if (connections === 0) return;
  throw new TakeOverRefusedError(
    `Servers of the version before hold ${connections} connections to this database. Stop them and back up the database, then ` +
      'start this version: it takes over the database, and no earlier server can use it afterwards.',
  );
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
