import type { EntityManager } from 'typeorm';

interface Old {
  readonly table: string;
  readonly column: string;
  /** Of the column: Citus deletes by no comparison of two types. */
  readonly type?: 'date' | 'timestamptz';
  readonly before: Date;
  /** SQL: which of these rows. */
  readonly where?: string;
}

/** Deletes old rows, a day's at a time, so that no statement reaches its time limit after a long pause. */
export async function deleteOld(
  manager: EntityManager,
  { table, column, type = 'timestamptz', before, where = 'true' }: Old,
  stopping: AbortSignal,
): Promise<void> {
  const oldest = `SELECT min(${column}) FROM ${table} WHERE ${column} < $1::${type} AND ${where}`;
  const day = `least($1::${type}, ((${oldest}) + interval '1 day')::${type})`;
  const statement = `DELETE FROM ${table} WHERE ${column} < ${day} AND ${where}`;
  for (let deleted = 1; deleted > 0 && !stopping.aborted;)
    [, deleted] = await manager.query<[unknown[], number]>(statement, [before.toISOString()]);
}
