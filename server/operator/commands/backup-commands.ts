import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { DataSource } from 'typeorm';
import { databaseOptions } from '../../database/data-source.js';
import { isMissingTable } from '../../database/errors/sql-state.js';
import { openDatabase } from '../../schema/open-database.js';
import { problemOfDatabaseUrl } from '../../settings/database-url.js';
import { Env, readEnv } from '../../settings/env.js';
import { type Authorization, type Change, entriesOf, writeAudit } from '../../moderation/audit.js';
import { backUp, type Content, contentOf, requireDumpable } from '../upkeep/backup.js';
import { newestFileIn, newFileIn, removeOld } from '../upkeep/backup-folder.js';
import { type CopiedTable, copyData } from '../upkeep/move.js';
import { requireBackupFor, requireReplaceable, restoreFrom } from '../upkeep/restore.js';
import { verify } from '../upkeep/verify.js';
import { printFindings } from './doctor-command.js';
import { authorizationOf, CommandError, type Session, withDatabase } from './session.js';
import type { Terminal } from './terminal.js';

/** A backup changes nothing, so it needs no name. */
const ANYBODY = 'anybody';
const REASON = ['--reason <text>', 'why; stored in the audit'] as const;

interface Options {
  readonly folder?: string;
  readonly keep?: number;
}

export function addBackupCommands(program: Command, terminal: Terminal): void {
  program
    .command('backup [file]')
    .description('save all data into a new file; servers may run, except on the embedded database')
    .option('--folder <folder>', 'name the file by the time, in this folder; verify takes the newest one')
    .option('--keep <count>', 'then remove the oldest of these files until so many are left', wholeCount)
    .option(...REASON, 'Backup')
    .action(async (file: string | undefined, { folder, keep }: Options, command: Command) => {
      if (keep && !folder) throw new CommandError('--keep is for the files of a folder: add --folder FOLDER.');
      const saved = oneOf(file, folder && newFileIn(folder));
      await save(terminal, saved, await authorizationOf(terminal, command, ANYBODY));
      if (!folder || !keep) return;
      for (const old of removeOld(folder, saved, keep)) terminal.print(`Removed ${old}.`);
    })
    .command('verify [file]')
    .description('restore a backup into a scratch database, recount everything there, and drop it')
    .option('--unknown', 'also a file that the audit does not know: it can contain any SQL')
    // The options of `backup` are for both.
    .configureHelp({ showGlobalOptions: true })
    .action(async (file: string | undefined, { unknown }: { unknown?: boolean }, command: Command) => {
      const { folder } = command.optsWithGlobals<Options>();
      const authorization = await authorizationOf(terminal, command, ANYBODY);
      await check(terminal, oneOf(file, folder && newestFileIn(folder)), { authorization, unknown });
    });

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
      'postgresql://user@host:5432/database with PGPASSWORD, or the folder of an embedded database',
    )
    .option(...REASON)
    .action(async ({ to }: { to: string }, command: Command) =>
      move(terminal, to, await authorizationOf(terminal, command)),
    );
}

function wholeCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

function oneOf(file: string | undefined, inFolder: string | undefined): string {
  if (file && inFolder) throw new CommandError('Name a file or --folder, not both.');
  if (!file && !inFolder) throw new CommandError('Name a file, or a folder with --folder.');
  return file ?? inFolder!;
}

async function save(terminal: Terminal, file: string, authorization: Authorization): Promise<void> {
  const began = performance.now();
  const env = readEnv(terminal.settings);
  if (env.databaseUrl)
    await withDatabase(terminal, ({ database }) => requireDumpable(database, terminal.path), { anySchema: true });
  const content = await backUp(env, resolve(file), terminal.path);
  terminal.print(`${file} has all data: ${megabytes(content.size)} in ${seconds(began)}.`);
  const secret = join(env.dataDir, 'auth-secret');
  if (existsSync(secret)) terminal.print(`It does not have the secret: keep ${secret} too.`);
  await record(terminal, authorization, { action: 'backup.create', target: nameOf(file), after: content });
}

async function check(
  terminal: Terminal,
  file: string,
  { authorization, unknown }: { authorization: Authorization; unknown?: boolean },
): Promise<void> {
  const began = performance.now();
  requireBackupFor(readEnv(terminal.settings), file);
  const content = await contentOf(file);
  await withDatabase(
    terminal,
    async ({ env, database }) => {
      if (env.databaseUrl) await requireDumpable(database, terminal.path);
      await requireKnown(database, file, content, unknown);
      const { tables, findings } = await verify(env, database, { file, path: terminal.path });
      printTables(terminal, tables);
      printFindings(terminal, findings);
      if (findings.some(({ advice }) => advice)) throw new CommandError(`${file} has these problems.`);
    },
    { anySchema: true },
  );
  terminal.print(`${file} is verified: ${megabytes(content.size)} in ${seconds(began)}.`);
  await record(terminal, authorization, { action: 'backup.verify', target: nameOf(file), after: content });
}

/**
 * A backup is SQL that runs with the rights of the role, which could drop the database of the game. So the audit must know
 * the file, or the operator answers for it. An empty database, such as another server's, has no audit.
 */
async function requireKnown(
  { manager }: DataSource,
  file: string,
  { sha256 }: Content,
  unknown = false,
): Promise<void> {
  const made = await entriesOf(manager, 'backup.create').catch((error: unknown) => {
    if (isMissingTable(error)) return [];
    throw error;
  });
  if (made.length === 0 || made.some(({ after }) => (after as Content).sha256 === sha256)) return;
  if (made.some(({ target }) => target === nameOf(file))) {
    throw new CommandError(`${file} is damaged: the audit has another checksum for it. Keep an older one.`);
  }
  if (unknown) return;
  throw new CommandError(
    `The audit does not know ${file}, and a backup can contain any SQL. If you know where it comes from, add --unknown.`,
  );
}

/** The file is good, whatever happens to the entry: a standby, for example, takes none. */
async function record(terminal: Terminal, authorization: Authorization, change: Change): Promise<void> {
  const store = ({ database }: Session) =>
    database.transaction((transaction) => writeAudit(transaction, authorization, change));
  await withDatabase(terminal, store, { anySchema: true }).catch((error: Error) =>
    terminal.print(`The audit has no entry about it: ${error.message}`),
  );
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
  const target = environmentOf(terminal, source, to);
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
  printTables(terminal, copied);
  await settle(target, authorization, { action: 'database.move' });
  terminal.print(`All rows are copied, after ${seconds(began)}. Set ${settingOf(target)}, and check it: ttt doctor`);
  if (!source.authSecrets) {
    terminal.print(`Set AUTH_SECRET to the content of ${source.dataDir}/auth-secret: it keeps all players signed in.`);
  }
}

/** The same settings with another database. */
function environmentOf({ settings }: Terminal, source: Env, to: string): Env {
  const other = Object.assign(new Env(), source, { databaseUrl: undefined, databaseReplicaUrl: undefined });
  if (!/^postgres(ql)?:/.test(to)) return Object.assign(other, { dataDir: resolve(to) });
  const problem = problemOfDatabaseUrl('--to', to);
  if (problem) throw new CommandError(problem);
  if (/:\/\/[^/?]*:[^/?]*@|[?&]password=/.test(to)) {
    throw new CommandError('All users of this machine can read a password in --to. Leave it out, and set PGPASSWORD.');
  }
  const password = encodeURIComponent(settings.PGPASSWORD ?? '');
  return Object.assign(other, { databaseUrl: to.replace(/:\/\/([^/?@]+)@/, (_, user) => `://${user}:${password}@`) });
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

function printTables(terminal: Terminal, tables: readonly CopiedTable[]): void {
  for (const { table, rows } of tables) terminal.print(`${String(rows).padStart(10)}  ${table}`);
}

const nameOf = (file: string) => basename(file).slice(-255);
const seconds = (began: number) => `${((performance.now() - began) / 1000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
