import type { DataSource, EntityManager } from 'typeorm';
import { OperatorError } from '../base/errors.js';

/** Tables with the rows of a player. Citus keeps all rows of one player on one server. */
const OF_A_PLAYER = [
  'player_stats',
  'sessions',
  'sign_in_codes',
  'games',
  'player_weeks',
  'challenge_attempts',
  'voided_games',
] as const;

/** A table distributed with its data keeps a hidden copy on the coordinator. */
const TABLES = ['players', ...OF_A_PLAYER, 'identities'] as const;

/**
 * Distributes the tables of a database with Citus, in one transaction. A second call changes nothing.
 * @returns false when the database was distributed already
 * @throws {OperatorError} what the operator must do first
 */
export async function distribute(database: DataSource): Promise<boolean> {
  await requireCitus(database);
  const distributed = await isDistributed(database);
  if (!distributed) {
    await requireLogicalLogs(database);
    await database.transaction(distributeTables);
  }
  // Empty from the second time on.
  for (const table of TABLES) {
    await database.query('SELECT truncate_local_data_after_distributing_table($1)', [table]);
  }
  return !distributed;
}

async function requireCitus(database: DataSource): Promise<void> {
  const [citus] = await database.query<unknown[]>(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  if (!citus) {
    throw new OperatorError(
      'This database has no Citus. Install Citus on every server, and run CREATE EXTENSION citus in this database on each.',
    );
  }
  const [{ workers }] = await database.query<[{ workers: number }]>(
    'SELECT count(*)::integer AS workers FROM citus_get_active_worker_nodes()',
  );
  if (workers === 0) {
    throw new OperatorError(
      "Citus knows no workers. Name each one on the coordinator: SELECT citus_add_node('host', 5432).",
    );
  }
}

/** Citus moves a shard to a later worker by logical replication. Without it, the moves fail in the background. */
async function requireLogicalLogs(database: DataSource): Promise<void> {
  const nodes = await database.query<{ name: string }[]>(
    `SELECT DISTINCT nodename || ':' || nodeport AS name FROM run_command_on_all_nodes('SHOW wal_level')
       JOIN pg_dist_node USING (nodeid) WHERE result <> 'logical' ORDER BY 1`,
  );
  if (nodes.length === 0) return;
  const names = nodes.map(({ name }) => name).join(', ');
  throw new OperatorError(`Set wal_level = logical, and restart PostgreSQL, on ${names}.`);
}

async function distributeTables(transaction: EntityManager): Promise<void> {
  // Foreign keys make Citus change one shard after the other.
  await transaction.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
  for (const table of Object.keys(FOREIGN_KEYS)) {
    await transaction.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_player_id_fkey`);
  }
  await transaction.query(`SELECT create_distributed_table('players', 'id')`);
  for (const table of OF_A_PLAYER) {
    await transaction.query(`SELECT create_distributed_table($1, 'player_id', colocate_with := 'players')`, [table]);
  }
  await transaction.query(`SELECT create_distributed_table('identities', 'subject', colocate_with := 'none')`);
  // Citus sends the text of a change to the workers, where it must be one statement.
  for (const [table, onDelete] of Object.entries(FOREIGN_KEYS)) {
    await transaction.query(
      `ALTER TABLE ${table} ADD CONSTRAINT ${table}_player_id_fkey FOREIGN KEY (player_id) REFERENCES players (id) ${onDelete}`,
    );
  }
}

/** The foreign keys to players, by the table that has one. They can be added when both tables are distributed. */
const FOREIGN_KEYS = {
  player_stats: '',
  sessions: 'ON DELETE CASCADE',
  sign_in_codes: 'ON DELETE CASCADE',
  challenge_attempts: 'ON DELETE CASCADE',
};

/** The token of what Nest's modules are told once, at the start: whether Citus distributes the database. */
export const DISTRIBUTED = Symbol('distributed');

export async function isDistributed(database: Pick<DataSource, 'query'>): Promise<boolean> {
  const [citus] = await database.query<{ installed: boolean }[]>(
    `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS installed`,
  );
  if (!citus?.installed) return false;
  const found = await database.query<unknown[]>(
    `SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('players')`,
  );
  return found.length > 0;
}
