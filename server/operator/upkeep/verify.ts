import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataSource, type DataSourceOptions, QueryFailedError } from 'typeorm';
import { connect, databaseOptions } from '../../database/data-source.js';
import { hostsOf } from '../../database/pool/hosts.js';
import { openDatabase } from '../../schema/open-database.js';
import { Env } from '../../settings/env.js';
import { OperationError } from '../command-error.js';
import { examineData, type Finding } from './doctor.js';
import { interruptible } from './interruptible.js';
import { type CopiedTable, TABLES } from './move.js';
import { DROP_ALL, restoreFrom } from './restore.js';

const END_OTHERS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid();`;

export interface Verified {
  readonly tables: readonly CopiedTable[];
  readonly findings: readonly Finding[];
}

/** Restores the file into a scratch database, recounts everything there, and removes it in any case. */
export async function verify(
  env: Env,
  database: DataSource,
  { file, path }: { file: string; path: string },
): Promise<Verified> {
  const check = (scratch: Env) =>
    interruptible(async () => {
      await restoreFrom(file, scratch, path);
      return countAll(scratch, database.options);
    });
  try {
    return await (env.databaseUrl ? onServer(env, database, check) : inFolder(env, check));
  } catch (error) {
    throw error instanceof QueryFailedError ? new OperationError(`${file} is not verified: ${error.message}`) : error;
  }
}

async function countAll(env: Env, { entities }: DataSourceOptions): Promise<Verified> {
  const database = await openDatabase({ ...(await databaseOptions(env, 'maintenance')), entities });
  try {
    const tables: CopiedTable[] = [];
    for (const { name: table } of await database.query<{ name: string }[]>(TABLES)) {
      const [{ rows }] = await database.query<[{ rows: number }]>(`SELECT count(*)::float8 AS rows FROM ${table}`);
      tables.push({ table, rows });
    }
    // As after a restore.
    await database.query('SELECT create_games_months(now())');
    await database.query('ANALYZE');
    return { tables, findings: await examineData({ env, database, full: true }) };
  } finally {
    await database.destroy();
  }
}

async function inFolder<T>(env: Env, work: (scratch: Env) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ttt-verify-'));
  try {
    return await work(Object.assign(new Env(), env, { dataDir }));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A role that may create databases creates the scratch database and drops it. Every other role empties the one that it was given. */
async function onServer<T>(env: Env, database: DataSource, work: (scratch: Env) => Promise<T>): Promise<T> {
  const [{ name, source, sql, role, creates }] = await database.query<
    [Record<'name' | 'source' | 'sql' | 'role', string> & { creates: boolean }]
  >(
    `SELECT name::text, current_database() AS source, quote_ident(name::text) AS sql, quote_ident(current_user) AS role, rolcreatedb OR rolsuper AS creates
     FROM pg_roles, cast(concat(left(current_database(), 40), '_ttt_scratch') AS name) AS name WHERE rolname = current_user`,
  );
  if (name === source)
    throw new OperationError(`The database ${source} has the name of a scratch database. Rename it.`);
  if (creates) {
    // It is there after a killed command. This fails while another command uses it.
    await database.query(`DROP DATABASE IF EXISTS ${sql}`);
    await database.query(`CREATE DATABASE ${sql} TEMPLATE template0`);
  }
  const url = Object.assign(new URL(hostsOf(database)!.current), { pathname: `/${encodeURIComponent(name)}` }).href;
  const scratch = Object.assign(new Env(), env, { databaseUrl: url });
  const target = await connect(await databaseOptions(scratch, 'maintenance')).catch(({ cause, message }: Error) => {
    throw new OperationError(
      `The scratch database cannot be used: ${cause instanceof Error ? cause.message : message}. As a superuser, either CREATE DATABASE ${sql} OWNER ${role}; ` +
        `or ALTER ROLE ${role} CREATEDB; so that this command creates it.`,
    );
  });
  // This connection stays open, so that other commands see that the database is in use.
  const runner = target.createQueryRunner();
  try {
    const [{ free, connected }] = await runner.manager.query<[{ free: boolean; connected: string }]>(
      'SELECT pg_try_advisory_lock(1) AS free, current_database() AS connected',
    );
    // A pooler may lead to another database than the one that is asked for.
    if (connected !== name)
      throw new OperationError(`The scratch database ${name} cannot be reached: this is ${connected}.`);
    if (!free) throw new OperationError('Another ttt backup verify uses the scratch database. Wait for its end.');
    try {
      return await work(scratch);
    } finally {
      if (!creates) await runner.query(`${END_OTHERS} ${DROP_ALL}`);
    }
  } finally {
    await runner.release();
    await target.destroy();
    if (creates) await database.query(`DROP DATABASE ${sql} WITH (FORCE)`);
  }
}
