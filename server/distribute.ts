/**
 * `npm run distribute`: distributes the tables of a PostgreSQL database with Citus over its workers. Stop all servers first.
 * In a container: `docker compose run --rm server node dist/server/distribute.js`.
 */
import { databaseOptions, openDatabase } from './database/data-source.js';
import { distribute, NotDistributableError } from './database/distribution.js';
import { readEnv } from './env.js';

async function main(): Promise<void> {
  const env = readEnv(process.env);
  if (!env.databaseUrl) {
    throw new NotDistributableError(
      'The embedded database cannot be distributed. Set DATABASE_URL to a coordinator of Citus.',
    );
  }
  const database = await openDatabase(await databaseOptions(env, 'maintenance'));
  try {
    const changed = await distribute(database);
    process.stdout.write(
      changed ? 'The tables are distributed. Start the servers.\n' : 'The tables were distributed already.\n',
    );
  } finally {
    await database.destroy();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
