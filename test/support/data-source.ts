import { DataSource } from 'typeorm';
import { entities } from '../../server/operator/commands/entities.js';
import { openDatabase } from '../../server/schema/open-database.js';

const optionsFor = (url: string) =>
  ({ type: 'postgres', url, entities, installExtensions: false, uuidExtension: 'pgcrypto' }) as const;

/** A connection without time limits to a database whose schema is up to date. */
export function openSource(url: string): Promise<DataSource> {
  return new DataSource(optionsFor(url)).initialize();
}

/** Brings a database up to date as a server does. */
export async function migrate(url: string): Promise<void> {
  await (await openDatabase(optionsFor(url))).destroy();
}
