import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { isDistributed } from '../../database/distributed.js';
import { dumpEmbedded } from '../../database/embedded.js';
import type { Env } from '../../settings/env.js';
import { clientPrograms, libpqSettings } from './client-programs.js';
import { OperationError } from '../command-error.js';

/**
 * Writes all data into a new file that only its owner can read. The last step is a rename, so a crash leaves no half of it.
 * @param path where to look for the client programs of PostgreSQL
 * @returns the size of the file in bytes
 */
export async function backUp(env: Env, file: string, path: string): Promise<number> {
  if (existsSync(file)) throw new OperationError(`${file} exists already. Name a new file.`);
  const part = `${file}.part`;
  try {
    if (env.databaseUrl) await dumpTo(part, env.databaseUrl, path);
    else writeFileSync(part, await dumpEmbedded(env.dataDir), { mode: 0o600 });
    renameSync(part, file);
    return statSync(file).size;
  } finally {
    rmSync(part, { force: true });
  }
}

/** @throws {OperationError} when pg_dump cannot save this database */
export async function requireDumpable(database: DataSource, path: string): Promise<void> {
  if (await isDistributed(database)) {
    throw new OperationError('Citus has distributed this database: back up each of its machines with pgBackRest.');
  }
  const { major } = clientPrograms(path);
  const [{ server }] = await database.query<[{ server: number }]>(
    `SELECT current_setting('server_version_num')::integer / 10000 AS server`,
  );
  if (server > major) {
    throw new OperationError(
      `The database is PostgreSQL ${server}, and pg_dump ${major} is too old for it. Install postgresql-client-${server}.`,
    );
  }
}

async function dumpTo(file: string, databaseUrl: string, path: string): Promise<void> {
  const { folder } = clientPrograms(path);
  writeFileSync(file, '', { mode: 0o600 });
  const child = spawn(
    join(folder, 'pg_dump'),
    ['--format=custom', '--no-owner', '--no-privileges', '--no-password', '--file', file],
    { env: { ...(await libpqSettings(databaseUrl)), PATH: path }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaint = '';
  child.stderr.on('data', (text) => (complaint += String(text)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new OperationError(`pg_dump failed: ${complaint.trim()}`);
}
