import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { databaseOptions } from '../../database/data-source.js';
import { openDatabase } from '../../schema/open-database.js';
import { problemOfDatabaseUrl } from '../../settings/database-url.js';
import { Env, readEnv } from '../../settings/env.js';
import { type Authorization, type Change, writeAudit } from '../../moderation/audit.js';
import { backUp, requireDumpable } from '../upkeep/backup.js';
import { copyData } from '../upkeep/move.js';
import { requireBackupFor, requireReplaceable, restoreFrom } from '../upkeep/restore.js';
import { authorizationOf, CommandError, withDatabase } from './session.js';
import type { Terminal } from './terminal.js';

const REASON = ['--reason <text>', 'why; stored in the audit'] as const;

export function addBackupCommands(program: Command, terminal: Terminal): void {
  program
    .command('backup <file>')
    .description('save all data into a new file; servers may run, except on the embedded database')
    .action((file: string) => save(terminal, file));

  program
    .command('restore <file>')
    .description('bring a backup into an empty database; stop all servers first')
    .option('--force', 'delete what the database holds')
    .option(...REASON)
    .action(async (file: string, { force = false }: { force?: boolean }, command: Command) =>
      restore(terminal, file, force, await authorizationOf(terminal, command)),
    );

  program
    .command('move')
    .description('copy all data into another, empty database; stop all servers first')
    .requiredOption(
      '--to <target>',
      'postgresql://user:password@host:5432/database, or the folder of an embedded database',
    )
    .option(...REASON)
    .action(async ({ to }: { to: string }, command: Command) =>
      move(terminal, to, await authorizationOf(terminal, command)),
    );
}

async function save(terminal: Terminal, file: string): Promise<void> {
  const began = performance.now();
  const env = readEnv(terminal.settings);
  if (env.databaseUrl)
    await withDatabase(terminal, ({ database }) => requireDumpable(database, terminal.path), { anySchema: true });
  const size = await backUp(env, resolve(file), terminal.path);
  terminal.print(`${file} has all data: ${megabytes(size)} in ${seconds(began)}.`);
  if (!env.authSecrets) terminal.print(`It does not have the secret: keep ${env.dataDir}/auth-secret too.`);
}

async function restore(terminal: Terminal, file: string, force: boolean, authorization: Authorization): Promise<void> {
  const began = performance.now();
  const env = readEnv(terminal.settings);
  requireBackupFor(env, file);
  await withDatabase(terminal, ({ database }) => requireReplaceable(database, force), { anySchema: true });
  await restoreFrom(file, env, terminal.path);
  // A backup of an earlier version is migrated here.
  await settle(env, authorization, { action: 'database.restore', target: file.slice(-255), after: { force } });
  terminal.print(`The database has all data of ${file}, after ${seconds(began)}. Check it: ttt doctor`);
}

async function move(terminal: Terminal, to: string, authorization: Authorization): Promise<void> {
  const began = performance.now();
  const source = readEnv(terminal.settings);
  const target = environmentOf(source, to);
  if (target.databaseUrl === source.databaseUrl && target.dataDir === source.dataDir) {
    throw new CommandError('The target is the database that the settings name.');
  }
  const copied = await withDatabase(terminal, async ({ database }) => {
    const other = await openTarget(target);
    try {
      return await copyData(database, other);
    } finally {
      await other.destroy();
    }
  });
  for (const { table, rows } of copied) terminal.print(`${String(rows).padStart(10)}  ${table}`);
  await settle(target, authorization, { action: 'database.move' });
  terminal.print(`All rows are copied, after ${seconds(began)}. Set ${settingOf(target)}, and check it: ttt doctor`);
  if (!source.authSecrets) {
    terminal.print(`Set AUTH_SECRET to the content of ${source.dataDir}/auth-secret: it keeps all players signed in.`);
  }
}

/** The same settings with another database. */
function environmentOf(source: Env, to: string): Env {
  if (!/^postgres(ql)?:/.test(to)) {
    return Object.assign(new Env(), source, {
      databaseUrl: undefined,
      databaseReplicaUrl: undefined,
      dataDir: resolve(to),
    });
  }
  const problem = problemOfDatabaseUrl('--to', to);
  if (problem) throw new CommandError(problem);
  return Object.assign(new Env(), source, { databaseUrl: to, databaseReplicaUrl: undefined });
}

async function openTarget(target: Env): Promise<DataSource> {
  try {
    return await openDatabase(await databaseOptions(target, 'maintenance'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CommandError('The image has no embedded database. Run this command in the repository.');
  }
}

/** Brings the schema up to date, creates the partitions of this time, and stores the change. */
async function settle(env: Env, authorization: Authorization, change: Change): Promise<void> {
  const database = await openTarget(env);
  try {
    await database.query('SELECT create_games_months(now())');
    await database.transaction((transaction) => writeAudit(transaction, authorization, change));
    // The planner knows nothing about the copied rows yet.
    await database.query('ANALYZE');
  } finally {
    await database.destroy();
  }
}

function settingOf({ databaseUrl, dataDir }: Env): string {
  return databaseUrl ? 'DATABASE_URL to it' : `DATA_DIR=${dataDir} without DATABASE_URL`;
}

const seconds = (began: number) => `${((performance.now() - began) / 1000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
