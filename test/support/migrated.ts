import { DataSource } from 'typeorm';
import { migrations } from '../../server/schema/migrations/index.js';

/** The options of a connection that knows the first migrations only, as an older version does. */
export const optionsFor = (url: string, count: number) =>
  ({
    type: 'postgres',
    url,
    migrations: migrations.slice(0, count),
    migrationsTransactionMode: 'each',
    installExtensions: false,
    uuidExtension: 'pgcrypto',
  }) as const;

/** Works on a connection that knows the first migrations only. */
export async function migrated<T>(url: string, count: number, work: (source: DataSource) => Promise<T>): Promise<T> {
  const source = new DataSource(optionsFor(url, count));
  await source.initialize();
  try {
    return await work(source);
  } finally {
    await source.destroy();
  }
}
