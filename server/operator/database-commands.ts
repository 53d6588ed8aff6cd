import type { Command } from 'commander';
import { OperatorError } from '../base/errors.js';
import type { DataSource } from 'typeorm';
import { databaseOptions } from '../database/data-source.js';
import { openDatabase } from '../database/migrate.js';
import { distribute } from '../database/distribution.js';
import { schemaState } from '../database/migrations.js';
import { readEnv } from '../settings/env.js';
import { type Authorization, writeAudit } from '../account/audit.repository.js';
import { recount, repair } from '../stats/recount.js';
import { authorizationOf, withDatabase } from './session.js';
import type { Terminal } from './terminal.js';

export function addDatabaseCommands(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('bring the schema up to date; every server does the same at its start')
    .option('--status', 'only show which migrations are applied; exit code 1 when one is missing')
    .action(({ status }: { status?: boolean }) =>
      status
        ? showMigrations(terminal)
        : withMigrated(terminal, () => Promise.resolve(terminal.print('The schema is up to date.'))),
    );

  program
    .command('distribute', { hidden: true })
    .description('distribute the tables with Citus over its workers; stop all servers first')
    .action(async () => {
      if (!readEnv(terminal.settings).databaseUrl) {
        throw new OperatorError(
          'The embedded database cannot be distributed. Set DATABASE_URL to a coordinator of Citus.',
        );
      }
      await withMigrated(terminal, async (database) => {
        const changed = await distribute(database);
        terminal.print(
          changed ? 'The tables are distributed. Start the servers.' : 'The tables were distributed already.',
        );
      });
    });

  program
    .command('stats')
    .description('Compare the stats with the games')
    .command('rebuild')
    .description('recount all games, and print every difference; exit code 1 when there is one')
    .option('--repair', 'correct every difference')
    .option('--reason <text>', 'why, with --repair; stored in the audit')
    .action(async ({ repair: wanted }: { repair?: boolean }, command: Command) => {
      const authorization = wanted ? await authorizationOf(terminal, command) : undefined;
      await withDatabase(terminal, ({ database }) => rebuild(terminal, database, authorization));
    });
}

async function showMigrations(terminal: Terminal): Promise<void> {
  await withDatabase(
    terminal,
    async ({ database }) => {
      const { applied, pending, unknown } = await schemaState(database);
      for (const name of applied)
        terminal.print(`applied  ${name}${unknown.includes(name) ? ' (of a later version)' : ''}`);
      for (const name of pending) terminal.print(`missing  ${name}`);
      if (pending.length > 0) terminal.exitCode = 1;
    },
    'any',
  );
}

/** Brings the schema up to date, and works with it. */
async function withMigrated(terminal: Terminal, work: (database: DataSource) => Promise<void>): Promise<void> {
  const database = await openDatabase(await databaseOptions(readEnv(terminal.settings), 'maintenance'));
  try {
    await work(database);
  } finally {
    await database.destroy();
  }
}

async function rebuild(terminal: Terminal, database: DataSource, authorization?: Authorization): Promise<void> {
  const found = await recount(database);
  const { players, games, differences } = found;
  for (const { key, stored, recounted } of differences) {
    terminal.print(`${key}: stored ${JSON.stringify(stored)}, recounted ${JSON.stringify(recounted)}`);
  }
  terminal.print(`${games} games of ${players} players: ${differences.length} differences`);
  if (!authorization) {
    if (differences.length > 0) terminal.exitCode = 1;
    return;
  }
  if (differences.length === 0) return;
  const recounted = await repair(database, found);
  const change = {
    action: 'stats.repair',
    before: { differences: differences.length },
    after: { playersRecounted: recounted },
  };
  await database.transaction((transaction) => writeAudit(transaction, authorization, change));
  terminal.print(`${recounted} players are recounted.`);
}
