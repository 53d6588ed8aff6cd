/** Runs once after all tests: removes the run's folder and its own PostgreSQL, or its databases on a lent one. */
import { rmSync } from 'node:fs';
import pg from 'pg';

export default async function globalTeardown() {
  rmSync(/** @type {string} */ (process.env.TEST_FOLDER), { recursive: true, force: true, maxRetries: 20 });
  const { sharedPostgres, sharedPooler } =
    /** @type {{ sharedPostgres?: import('../../scripts/postgres.js').Postgres, sharedPooler?: import('../../scripts/pgbouncer.js').Pooler }} */ (
      globalThis
    );
  await sharedPooler?.stop();
  if (sharedPostgres) return sharedPostgres.stop();

  const client = new pg.Client(process.env.TEST_POSTGRES_URL);
  await client.connect();
  const prefix = `tic_tac_toe_${process.env.TEST_RUN}_%`;
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname LIKE $1', [prefix]);
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  await client.end();
}
