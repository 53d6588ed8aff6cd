/**
 * Runs once before the projects that need it: starts one PostgreSQL for them all and makes a folder for their files. Both
 * reach every worker through the environment. Plain JavaScript, as Jest loads this file without its own resolver.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../scripts/machine/postgres.js';

export default async function globalSetup() {
  process.env.TEST_RUN = randomBytes(4).toString('hex');
  process.env.TEST_FOLDER = mkdtempSync(join(tmpdir(), 'tic-tac-toe-tests-'));
  process.env.TEST_POSTGRES_URL = process.env.TEST_DATABASE_URL;
  if (!process.env.TEST_DATABASE_URL) {
    const postgres = await startPostgres();
    process.env.TEST_POSTGRES_URL = postgres.url;
    Object.assign(globalThis, { sharedPostgres: postgres });
  }
}
