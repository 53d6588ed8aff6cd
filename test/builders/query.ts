/** Runs a statement on a `pg` client, a pool or TypeORM's data source. */
export type Query = (sql: string, values?: unknown[]) => Promise<unknown>;
