import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { GAME_TABLES } from './tables/games.js';
import { PLAYER_TABLES } from './tables/players.js';

/** The schema of the first release. */
class Baseline1795500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of [...PLAYER_TABLES, ...GAME_TABLES]) await queryRunner.query(table);
  }

  down(): Promise<void> {
    throw new Error('No schema comes before this one. Drop the database, and create it again.');
  }
}

class DaresOfTheChallenge1795600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Citus allows no foreign key here: a deletion of the account erases it.
    await queryRunner.query(`
      ALTER TABLE challenge_attempts ADD COLUMN dared_by uuid;
      CREATE INDEX challenge_attempts_dared_by ON challenge_attempts (dared_by, day) WHERE dared_by IS NOT NULL`);
  }

  down(): Promise<void> {
    throw new Error('Nothing needs this.');
  }
}

/** A name that the player has chosen. Citus wants the check in a statement of its own. */
class ChosenNames1796100000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE players ADD COLUMN provider_name text');
    await queryRunner.query(
      'ALTER TABLE players ADD CONSTRAINT players_provider_name CHECK (char_length(provider_name) BETWEEN 1 AND 50)',
    );
  }

  down(): Promise<void> {
    throw new Error('An older version runs on this schema too.');
  }
}

/**
 * In the order of execution. Every database goes through all of them. A released migration never changes. Its number is a time in
 * milliseconds. It only adds, because older versions also run on its schema: so nothing needs `down`, which throws.
 */
export const migrations = [Baseline1795500000000, DaresOfTheChallenge1795600000000, ChosenNames1796100000000];

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
