/** Once after all: our own PostgreSQL goes with its data; on a lent one, only what this run has made there goes. */
import pg from 'pg';

export default async function globalTeardown() {
  const { sharedPostgres } = /** @type {{ sharedPostgres?: import('../../scripts/postgres.js').Postgres }} */ (
    globalThis
  );
  if (sharedPostgres) return sharedPostgres.stop();

  const client = new pg.Client(process.env.TEST_POSTGRES_URL);
  await client.connect();
  const prefix = `tic_tac_toe_${process.env.TEST_RUN}_%`;
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname LIKE $1', [prefix]);
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  await client.end();
}
