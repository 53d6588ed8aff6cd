import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
// Loads all features with their entities.
import '../../server/app/app.module.js';
import { loadedEntities, poolOf } from '../../server/database/data-source.js';
import { openDatabase } from '../../server/database/migrate.js';
import { type Database, realPostgres } from '../support/postgres.js';

let database: Database;
let connection: DataSource;
beforeAll(async () => {
  database = await realPostgres().createDatabase();
  connection = await openDatabase({ ...poolOf(database.url, { connect: 5_000 }, 2), entities: loadedEntities() });
});
afterAll(async () => {
  await connection.destroy();
  await database.drop();
});

test('every table has one entity', async () => {
  const tables = await connection.query<{ name: string }[]>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'",
  );
  expect(connection.entityMetadatas.map(({ tableName }) => tableName).sort()).toEqual(
    tables.map(({ name }) => name).sort(),
  );
});

test('the entities say of the schema what the migrations make', async () => {
  // TypeORM compares a CHECK by its name alone: the migrations have them, and no entity repeats them.
  const checks = await connection.query<{ name: string }[]>(
    "SELECT conname AS name FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace",
  );
  const { upQueries } = await connection.driver.createSchemaBuilder().log();
  const changes = upQueries.map(({ query }) => query);
  const dropsCheck = (query: string) => checks.some(({ name }) => query.endsWith(` DROP CONSTRAINT "${name}"`));
  expect(changes.filter((query) => !dropsCheck(query))).toEqual([]);
});
