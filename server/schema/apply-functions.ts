import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { functions } from './functions/index.js';

/** Brings each function to its declared text. The comment of a function has the hash of the text that made it. */
export async function applyFunctions(database: Pick<DataSource, 'query'>): Promise<void> {
  for (const [name, text] of Object.entries(functions)) {
    const hash = createHash('sha256').update(text).digest('hex');
    const [{ applied }] = await database.query<[{ applied: string | null }]>(
      `SELECT obj_description(to_regprocedure($1), 'pg_proc') AS applied`,
      [name],
    );
    if (applied === hash) continue;
    await database.query(text);
    await database.query(`COMMENT ON FUNCTION ${name} IS '${hash}'`);
  }
}
