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

/** Whose link has brought a player to the challenge. Citus allows no foreign key here: a deletion of the account erases it. */
class DaresOfTheChallenge1795600000000 extends Statements {
  readonly statements = [
    'ALTER TABLE challenge_attempts ADD COLUMN dared_by uuid',
    'CREATE INDEX challenge_attempts_dared_by ON challenge_attempts (dared_by, day) WHERE dared_by IS NOT NULL',
  ];
}

/** What says which accounts nobody uses, and how old the newest backup is. */
class SignInsAndBackups1795800000000 extends Statements {
  readonly statements = [
    // Nobody knows the sign-ins before: those accounts begin their time now.
    'ALTER TABLE players ADD COLUMN signed_in_at timestamptz NOT NULL DEFAULT now()',
    'CREATE INDEX players_signed_in_at ON players (signed_in_at)',
    // One row, also before the first backup.
    'CREATE TABLE backups (saved_at timestamptz PRIMARY KEY)',
    'INSERT INTO backups VALUES (now())',
  ];
}

/** A name that the player has chosen. */
class ChosenNames1796100000000 extends Statements {
  readonly statements = [
    'ALTER TABLE players ADD COLUMN provider_name text',
    'ALTER TABLE players ADD CONSTRAINT players_provider_name CHECK (char_length(provider_name) BETWEEN 1 AND 50)',
  ];
}

/** The list of moderators by name, in the order of any locale. Older versions sort it themselves. */
class NamesInOneOrder1796200000000 extends Statements {
  readonly statements = [
    'DROP INDEX players_name',
    'CREATE INDEX players_name ON players (upper(name COLLATE "und-x-icu"), id)',
  ];
}

/**
 * In the order of execution. Every database goes through all of them. A released migration never changes. Its number is a time in
 * milliseconds. It only adds, because older versions also run on its schema.
 */
export const migrations = [
  Baseline1795500000000,
  DaresOfTheChallenge1795600000000,
  SignInsAndBackups1795800000000,
  ChosenNames1796100000000,
  NamesInOneOrder1796200000000,
];

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
