import type { DataSource } from 'typeorm';

/** Whether Citus has distributed the players of this database. */
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
