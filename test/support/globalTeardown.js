/** Runs once after all tests: removes the run's folder and its own PostgreSQL, or its databases on a lent one. */
import { rmSync } from 'node:fs';
import pg from 'pg';

export default async function globalTeardown() {
  rmSync(/** @type {string} */ (process.env.TEST_FOLDER), { recursive: true, force: true, maxRetries: 20 });
  const { sharedPostgres } = /** @type {{ sharedPostgres?: import('../../scripts/machine/postgres.js').Postgres }} */ (
    globalThis
  );
  const { TEST_ENGINE, TEST_CITUS_URL } = process.env;
  if (TEST_ENGINE === 'citus' && TEST_CITUS_URL) await dropOnCluster(TEST_CITUS_URL);
  if (sharedPostgres) await sharedPostgres.stop();
  else await dropDatabases(/** @type {string} */ (process.env.TEST_POSTGRES_URL));
}

/** The databases of the shared servers on all machines of a Citus cluster. @param {string} url */
async function dropOnCluster(url) {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT node_name, node_port FROM citus_get_active_worker_nodes()');
  await client.end();
  await dropDatabases(url);
  for (const { node_name, node_port } of rows) {
    await dropDatabases(Object.assign(new URL(url), { hostname: node_name, port: node_port }).href);
  }
}

/** @param {string} url */
async function dropDatabases(url) {
  const client = new pg.Client(url);
  await client.connect();
  const prefix = `tic_tac_toe_${process.env.TEST_RUN}_%`;
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname LIKE $1', [prefix]);
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  await client.end();
}
