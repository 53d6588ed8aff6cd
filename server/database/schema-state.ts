import type { DataSource } from 'typeorm';
import { migrations } from './migrations/index.js';

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
