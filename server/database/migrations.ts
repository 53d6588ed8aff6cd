import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { GAME_TABLES } from './tables/games.js';
import { PLAYER_TABLES } from './tables/players.js';

/** Citus wants each change in a statement of its own. */
abstract class Statements implements MigrationInterface {
  abstract readonly statements: readonly string[];

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await queryRunner.query(statement);
  }

  down(): Promise<never> {
    return Promise.reject(new Error('A migration has no way back: restore a backup of before.'));
  }
}

/** The schema of the first release. */
class Baseline1795500000000 extends Statements {
  readonly statements = [...PLAYER_TABLES, ...GAME_TABLES];
}

/** The mark of a program in a week, and pages that a player can close. */
class PlayerPages1795900000000 extends Statements {
  readonly statements = [
    'ALTER TABLE players ADD COLUMN page_open boolean NOT NULL DEFAULT true',
    'ALTER TABLE player_weeks ADD COLUMN program_games integer NOT NULL DEFAULT 0',
    `UPDATE player_weeks AS w SET program_games = played.games FROM (
       SELECT player_id, date_trunc('week', finished_at AT TIME ZONE 'UTC')::date AS week, count(*)::integer AS games
       FROM games WHERE by_program AND source = 'verified' GROUP BY 1, 2
     ) AS played WHERE w.player_id = played.player_id AND w.week = played.week`,
  ];
}

/** Players of a provider that the product does not know. */
class UnknownProviders1796000000000 extends Statements {
  readonly statements = [
    'ALTER TABLE players DROP CONSTRAINT players_provider_check',
    "ALTER TABLE players ADD CONSTRAINT players_provider_check CHECK (provider IN ('google', 'github', 'unknown'))",
  ];
}

/**
 * In the order of execution. Every database goes through all of them. A released migration never changes. Its number is a time in
 * milliseconds. It only adds, because older versions also run on its schema.
 */
export const migrations = [Baseline1795500000000, PlayerPages1795900000000, UnknownProviders1796000000000];

const ALL = migrations.flatMap((Migration) => new Migration().statements).join();
/** The name of a new one begins with `ttt_`: by that, docker/backup of an older version knows it. */
export const TABLES = ['migrations', ...Array.from(ALL.matchAll(/CREATE TABLE (\w+)/g), ([, name]) => name!)];

/** The names of the migrations. */
export interface SchemaState {
  readonly applied: readonly string[];
  /** This version has them and the database does not. */
  readonly pending: readonly string[];
  /** A later version has applied them. */
  readonly unknown: readonly string[];
}

/** Compares the migrations of the database with those of this version, and changes nothing. */
export async function schemaState(database: Pick<DataSource, 'query'>): Promise<SchemaState> {
  const known = migrations.map(({ name }) => name);
  const [table] = await database.query<{ exists: boolean }[]>(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
  const rows = table?.exists ? await database.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id') : [];
  const applied = rows.map(({ name }) => name);
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}
