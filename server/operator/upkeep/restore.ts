import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { APPLICATION_NAME } from '../../database/data-source.js';
import { DataDirInUseError } from '../../database/data-dir-lock.js';
import { loadEmbedded } from '../../database/embedded.js';
import type { Env } from '../../settings/env.js';
import { clientPrograms, libpqSettings } from './client-programs.js';
import { OperationError } from '../command-error.js';

/** Drops what the migrations have made. Extensions keep their own objects. */
export const DROP_ALL = `
  DO $$
  DECLARE
    object record;
  BEGIN
    FOR object IN
      SELECT oid::regclass AS name, CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS kind FROM pg_class c
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
      ORDER BY relkind = 'v' DESC
    LOOP
      EXECUTE format('DROP %s IF EXISTS %s CASCADE', object.kind, object.name);
    END LOOP;
    FOR object IN
      SELECT oid::regprocedure AS name FROM pg_proc p
      WHERE pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    LOOP
      EXECUTE format('DROP ROUTINE IF EXISTS %s CASCADE', object.name);
    END LOOP;
  END $$;
`;

/** The beginning of an archive of pg_dump, and of a gzip file. */
const MAGIC = { postgres: Buffer.from('PGDMP'), embedded: Buffer.from([0x1f, 0x8b]) };

/** @throws {OperationError} when the file is no backup for this kind of database */
export function requireBackupFor(env: Env, file: string): void {
  const begins = beginningOf(file);
  const isOf = (magic: Buffer) => begins.subarray(0, magic.length).equals(magic);
  if (isOf(env.databaseUrl ? MAGIC.postgres : MAGIC.embedded)) return;
  if (isOf(MAGIC.postgres)) {
    throw new OperationError(
      `${file} is a backup of PostgreSQL: set DATABASE_URL. Then ttt move can bring the data here.`,
    );
  }
  if (isOf(MAGIC.embedded)) {
    throw new OperationError(
      `${file} is a backup of the embedded database: unset DATABASE_URL. Then use ttt move --to.`,
    );
  }
  throw new OperationError(`${file} is not a backup of ttt backup.`);
}

function beginningOf(file: string): Buffer {
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new OperationError(`There is no file ${file}.`);
    const begins = Buffer.alloc(MAGIC.postgres.length);
    const handle = openSync(file, 'r');
    readSync(handle, begins, 0, begins.length, 0);
    closeSync(handle);
    return begins;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    throw new OperationError(`${file} cannot be read: permission denied.`);
  }
}

/**
 * Makes sure that a restore destroys nothing. A schema without players counts as empty.
 * @throws {OperationError}
 */
export async function requireReplaceable(database: DataSource, force: boolean): Promise<void> {
  const [{ servers }] = await database.query<[{ servers: number }]>(
    `SELECT count(*)::integer AS servers FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()`,
    [APPLICATION_NAME],
  );
  if (servers > 0) throw new OperationError(`Servers hold ${servers} connections to this database. Stop them first.`);
  if (force) return;
  const [{ tables, ours }] = await database.query<[{ tables: number; ours: boolean }]>(
    `SELECT count(*)::integer AS tables, to_regclass('players') IS NOT NULL AS ours FROM pg_class c
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`,
  );
  if (tables === 0) return;
  const players = ours ? await database.query<unknown[]>('SELECT FROM players LIMIT 1') : undefined;
  if (players?.length === 0) return;
  throw new OperationError(
    `This database is not empty: it has ${ours ? 'players' : 'tables'}. Name an empty one, or use --force, which deletes them.`,
  );
}

/** Replaces all data in one transaction. */
export async function restoreFrom(file: string, env: Env, path: string): Promise<void> {
  if (env.databaseUrl) await restoreDump(file, env.databaseUrl, path);
  else await restoreArchive(file, env.dataDir);
}

async function restoreArchive(file: string, dataDir: string): Promise<void> {
  try {
    const archive = readFileSync(file);
    // It compares the checksum, which the embedded database does not.
    gunzipSync(archive);
    await loadEmbedded(dataDir, archive);
  } catch (error) {
    throw error instanceof DataDirInUseError ? error : failed(file, (error as Error).message);
  }
}

const failed = (file: string, complaint: string) =>
  new OperationError(`The restore of ${file} failed and changed nothing: ${complaint.trim()}`);

/** psql gets a COMMIT only after pg_restore has succeeded. Without it, also after a crash of this process, nothing changes. */
async function restoreDump(file: string, databaseUrl: string, path: string): Promise<void> {
  const { folder } = clientPrograms(path);
  const env = { ...(await libpqSettings(databaseUrl)), PATH: path };
  const psql = spawn(
    join(folder, 'psql'),
    ['--no-psqlrc', '--quiet', '--no-password', '--set=ON_ERROR_STOP=1', '--output=/dev/null'],
    { env, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  const reader = spawn(join(folder, 'pg_restore'), ['--no-owner', '--no-privileges', '--file=-', file], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  for (const stream of [psql.stderr, reader.stderr]) stream.on('data', (text) => (complaint += String(text)));
  // psql ends early after an error, and says why.
  psql.stdin.on('error', () => reader.kill());
  psql.stdin.write(`BEGIN;\nSET client_min_messages = warning;\n${DROP_ALL}\n`);
  reader.stdout.pipe(psql.stdin, { end: false });
  const ended = once(psql, 'close');
  const [read] = (await once(reader, 'close')) as [number | null];
  if (read === 0) psql.stdin.end('COMMIT;\n');
  else psql.kill();
  const [code] = (await ended) as [number | null];
  if (read !== 0 || code !== 0) throw failed(file, complaint);
}
