import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, createReadStream, existsSync, fsyncSync, openSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DataSource } from 'typeorm';
import { isDistributed } from '../../database/distributed.js';
import { dumpEmbedded } from '../../database/embedded.js';
import type { Env } from '../../settings/env.js';
import { requireFolder } from './backup-folder.js';
import { clientPrograms, libpqSettings } from './client-programs.js';
import { interruptible } from './interruptible.js';
import { OperationError } from '../command-error.js';

/** What the audit keeps about a file, so that a later check knows whether it is still the same. */
export interface Content {
  readonly size: number;
  readonly sha256: string;
}

/**
 * Writes all data into a new file that only its owner can read. All of it is on the disk before the last step, a rename, so
 * a crash leaves no half of it.
 * @param path where to look for the client programs of PostgreSQL
 */
export async function backUp(env: Env, file: string, path: string): Promise<Content> {
  if (existsSync(file)) throw new OperationError(`${file} exists already. Name a new file, or a folder with --folder.`);
  requireFolder(dirname(file));
  // Two commands at a time write two parts.
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    writeFileSync(part, '', { mode: 0o600, flag: 'wx' });
    if (env.databaseUrl) await dumpTo(part, env.databaseUrl, path);
    else writeFileSync(part, await dumpEmbedded(env.dataDir));
    const content = await contentOf(part);
    synchronize(part);
    renameSync(part, file);
    synchronize(dirname(file));
    return content;
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall ? new OperationError(`There is no backup: ${message}`) : error;
  } finally {
    rmSync(part, { force: true });
  }
}

/** Waits until a file, or the list of a folder, is on the disk. */
function synchronize(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

export async function contentOf(file: string): Promise<Content> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return { size: statSync(file).size, sha256: hash.digest('hex') };
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
  const program = join(clientPrograms(path).folder, 'pg_dump');
  const options = ['--format=custom', '--no-owner', '--no-privileges', '--no-password', '--file', file];
  const env = { ...(await libpqSettings(databaseUrl)), PATH: path };
  let complaint = '';
  const code = await interruptible(async (signal) => {
    const child = spawn(program, options, { env, stdio: ['ignore', 'ignore', 'pipe'], signal });
    child.stderr.on('data', (text) => (complaint += String(text)));
    return ((await once(child, 'close')) as [number | null])[0];
  });
  if (code !== 0) throw new OperationError(`There is no backup: ${complaint.trim()}`);
}
