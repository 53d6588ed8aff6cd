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

/**
 * In the order of execution. Every database goes through all of them. A released migration never changes. Its number is a time in
 * milliseconds. It only adds, because older versions also run on its schema.
 */
export const migrations = [Baseline1795500000000];

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
