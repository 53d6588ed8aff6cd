import type { DataSource, EntityManager } from 'typeorm';
import { isDistributed } from '../database/distributed.js';

/** The database cannot be distributed. The message says what the operator must do first. */
export class NotDistributableError extends Error {
  override readonly name = 'NotDistributableError';
}

/**
 * In a distributed database, lets one transaction change tables, functions and rows of all shards: Citus then works on one
 * shard after the other. It changes nothing in another database.
 */
export async function workInSequence(transaction: Pick<DataSource, 'query'>): Promise<void> {
  if (await isDistributed(transaction)) await transaction.query(SEQUENTIAL);
}

const SEQUENTIAL = `SET LOCAL citus.multi_shard_modify_mode = 'sequential'`;

/** Tables with the rows of a player. Citus keeps all rows of one player on one server. */
const OF_A_PLAYER = [
  'player_stats',
  'sessions',
  'sign_in_codes',
  'games',
  'score_changes',
  'player_weeks',
  'challenge_attempts',
  'merged_players',
  'voided_games',
  'archived_stats',
  'archived_weeks',
] as const;

/** A table distributed with its data keeps a hidden copy on the coordinator. */
const TABLES = ['players', ...OF_A_PLAYER, 'identities'] as const;

/**
 * Distributes the tables of a database with Citus, in one transaction. A second call changes nothing. The migrations of
 * tables that an earlier schema lacks distribute them.
 * @returns false when the database was distributed already
 * @throws {NotDistributableError}
 */
export async function distribute(database: DataSource): Promise<boolean> {
  await requireCitus(database);
  const distributed = await isDistributed(database);
  if (!distributed) await database.transaction(distributeTables);
  // Empty from the second time on.
  for (const table of await existing(database, TABLES)) {
    await database.query('SELECT truncate_local_data_after_distributing_table($1)', [table]);
  }
  return !distributed;
}

async function requireCitus(database: DataSource): Promise<void> {
  const [citus] = await database.query<unknown[]>(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  if (!citus) {
    throw new NotDistributableError(
      'This database has no Citus. Install Citus on every server, and run CREATE EXTENSION citus in this database on each.',
    );
  }
  const [{ workers }] = await database.query<[{ workers: number }]>(
    'SELECT count(*)::integer AS workers FROM citus_get_active_worker_nodes()',
  );
  if (workers === 0) {
    throw new NotDistributableError(
      "Citus knows no workers. Name each one on the coordinator: SELECT citus_add_node('host', 5432).",
    );
  }
}

async function distributeTables(transaction: EntityManager): Promise<void> {
  // Foreign keys make Citus change one shard after the other.
  await transaction.query(SEQUENTIAL);
  await transaction.query(KEYS);
  await transaction.query(`SELECT create_distributed_table('players', 'id')`);
  const tables = await existing(transaction, OF_A_PLAYER);
  for (const table of tables) {
    await transaction.query(`SELECT create_distributed_table($1, 'player_id', colocate_with := 'players')`, [table]);
  }
  await transaction.query(`SELECT create_distributed_table('identities', 'subject', colocate_with := 'none')`);
  // Citus sends the text of a change to the workers, where it must be one statement.
  const challenge = tables.includes('challenge_attempts') ? CHALLENGE_DELEGATION : [];
  const hundreds = (await existing(transaction, ['score_hundreds'])).length > 0;
  for (const statement of [...FOREIGN_KEYS, foldOfShards(hundreds), DAILY_GAMES, ...DELEGATION, ...challenge]) {
    await transaction.query(statement);
  }
}

async function existing(database: Pick<DataSource, 'query'>, tables: readonly string[]): Promise<string[]> {
  const found = await database.query<{ name: string }[]>(
    'SELECT name FROM unnest($1::text[]) WITH ORDINALITY AS given (name, place) WHERE to_regclass(name) IS NOT NULL ORDER BY place',
    [tables],
  );
  return found.map(({ name }) => name);
}

/** Distributes the voided games, which a migration has added to a distributed database with a new `record_game`. */
export async function distributeVoidedGames(transaction: Pick<DataSource, 'query'>): Promise<void> {
  await transaction.query(SEQUENTIAL);
  await transaction.query(`SELECT create_distributed_table('voided_games', 'player_id', colocate_with := 'players')`);
  for (const statement of DELEGATION) await transaction.query(statement);
}

/** Distributes the sums of the weeks, which a migration has added to a distributed database with a new `record_game`. */
export async function distributeWeeks(transaction: Pick<DataSource, 'query'>): Promise<void> {
  await transaction.query(SEQUENTIAL);
  await transaction.query(`SELECT create_distributed_table('player_weeks', 'player_id', colocate_with := 'players')`);
  for (const statement of DELEGATION) await transaction.query(statement);
}

/** Distributes the attempts, which a migration has added to a distributed database with their function. */
export async function distributeChallenge(transaction: Pick<DataSource, 'query'>): Promise<void> {
  await transaction.query(SEQUENTIAL);
  await transaction.query(
    `SELECT create_distributed_table('challenge_attempts', 'player_id', colocate_with := 'players')`,
  );
  for (const statement of CHALLENGE_DELEGATION) await transaction.query(statement);
}

/** Distributes the sums of archived games, which a migration has added to a distributed database. */
export async function distributeArchive(transaction: Pick<DataSource, 'query'>): Promise<void> {
  for (const table of ['archived_stats', 'archived_weeks']) {
    await transaction.query(`SELECT create_distributed_table($1, 'player_id', colocate_with := 'players')`, [table]);
  }
}

/**
 * Each key must contain the player, also that of the games from before the partitions. A foreign key can be added when both
 * tables are distributed.
 */
const KEYS = `
  ALTER TABLE player_stats DROP CONSTRAINT player_stats_player_id_fkey;
  ALTER TABLE sessions DROP CONSTRAINT sessions_player_id_fkey;
  ALTER TABLE sign_in_codes DROP CONSTRAINT sign_in_codes_player_id_fkey;
  ALTER TABLE IF EXISTS challenge_attempts DROP CONSTRAINT challenge_attempts_player_id_fkey;
  DO $$
  DECLARE
    earlier regclass := (SELECT inhrelid FROM pg_inherits JOIN pg_class ON oid = inhrelid
      WHERE inhparent = 'games'::regclass AND relname ~ '^games_before_');
  BEGIN
    IF earlier IS NOT NULL THEN
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT games_pkey', earlier);
      EXECUTE format('ALTER TABLE %s ADD CONSTRAINT games_pkey PRIMARY KEY USING INDEX games_player_id_id', earlier);
      EXECUTE format('CREATE INDEX games_id ON %s (id)', earlier);
    END IF;
  END $$
`;

const FOREIGN_KEYS = [
  `ALTER TABLE player_stats ADD CONSTRAINT player_stats_player_id_fkey FOREIGN KEY (player_id) REFERENCES players (id)`,
  `ALTER TABLE sessions ADD CONSTRAINT sessions_player_id_fkey
     FOREIGN KEY (player_id) REFERENCES players (id) ON DELETE CASCADE`,
  `ALTER TABLE sign_in_codes ADD CONSTRAINT sign_in_codes_player_id_fkey
     FOREIGN KEY (player_id) REFERENCES players (id) ON DELETE CASCADE`,
  `ALTER TABLE IF EXISTS challenge_attempts ADD CONSTRAINT challenge_attempts_player_id_fkey
     FOREIGN KEY (player_id) REFERENCES players (id) ON DELETE CASCADE`,
];

/** Adds the players of the folded changes to a table with one row for each `key`: a score, or a hundred of scores. */
const addPlayers = (table: string, column: string, key: string) => `
    INSERT INTO ${table} AS total
      SELECT ${key}, sum(part.players)
      FROM jsonb_to_recordset(changes) AS change (old integer, new integer)
        CROSS JOIN LATERAL (VALUES (change.new, 1), (change.old, -1)) AS part (score, players)
      WHERE part.score IS NOT NULL
      GROUP BY 1 HAVING sum(part.players) <> 0
      ON CONFLICT (${column}) DO UPDATE SET players = total.players + excluded.players;`;

/**
 * Rows of several shards have no common ctid, so the changes are deleted by their keys. Only the fold deletes changes.
 * @param hundreds whether the schema has `score_hundreds`
 */
export const foldOfShards = (hundreds: boolean): string => `
  CREATE OR REPLACE FUNCTION fold_score_changes(in_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    players uuid[];
    games integer[];
    changes jsonb;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(7463202) THEN RETURN 0; END IF;
    SELECT array_agg(c.player_id), array_agg(c.game),
        jsonb_agg(jsonb_build_object('old', c.old_score, 'new', c.new_score))
      INTO players, games, changes
      FROM (SELECT * FROM score_changes LIMIT in_limit) AS c;
    IF players IS NULL THEN RETURN 0; END IF;
    DELETE FROM score_changes c USING unnest(players, games) AS folded (player_id, game)
      WHERE c.player_id = folded.player_id AND c.game = folded.game;
    ${addPlayers('score_totals', 'score', 'part.score')}
    ${hundreds ? addPlayers('score_hundreds', 'hundred', 'floor(part.score / 100.0)::integer') : ''}
    RETURN cardinality(players);
  END $$
`;

const RECORD_GAME =
  'record_game(uuid, uuid, uuid, text, text, text, text, smallint[], timestamptz, timestamptz, integer, integer, timestamptz)';

const DAILY_GAMES = `SELECT create_distributed_function('verified_games_on(player_stats, date)')`;

/** Citus runs record_game on the server with the player's rows: one round trip and one transaction there. */
const DELEGATION = [
  // The settings of a request do not reach that server.
  `ALTER FUNCTION ${RECORD_GAME} SET lock_timeout = '2s'`,
  `SELECT create_distributed_function('${RECORD_GAME}', 'in_player_id', colocate_with := 'players')`,
];

const COUNT_CHALLENGE_GAME =
  'count_challenge_game(uuid, uuid, text, text, text, smallint[], timestamptz, timestamptz, integer, integer)';

const CHALLENGE_DELEGATION = [
  `ALTER FUNCTION ${COUNT_CHALLENGE_GAME} SET lock_timeout = '2s'`,
  `SELECT create_distributed_function('${COUNT_CHALLENGE_GAME}', 'in_player_id', colocate_with := 'players')`,
];
