import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { archiveMonths, FEWEST_MONTHS } from '../archive/archive.js';
import { archivesOf, endRestore, restoreArchive } from '../archive/archive-restore.js';
import { authorizationOf, withDatabase } from './session.js';
import type { Terminal } from './terminal.js';

const REASON = ['--reason <text>', 'why; stored in the audit'] as const;

export function addArchiveCommands(program: Command, terminal: Terminal): void {
  const archive = program.command('archive').description('Take the games of old months out of the database');

  archive
    .command('create <folder>')
    .description('write the games of old months into files in the folder, and drop them; all sums stay')
    .option('--keep <months>', 'how many months stay, with this one', months, 12)
    .option(...REASON)
    .action(async (folder: string, { keep }: { keep: number }, command: Command) => {
      const authorization = await authorizationOf(terminal, command);
      await withDatabase(terminal, async ({ database }) => {
        let count = 0;
        for await (const { partition, file, games, players } of archiveMonths(database, authorization, {
          folder: resolve(folder),
          months: keep,
        })) {
          count += 1;
          terminal.print(`${partition}: ${games} games of ${players} players are in ${join(folder, file)}.`);
        }
        if (count === 0) terminal.print(`There are no games from before the newest ${keep} months.`);
      });
    });

  archive
    .command('restore <file>')
    .description('bring the games of one file back for reading; they count no second time')
    .option(...REASON)
    .action(async (file: string, _options: object, command: Command) => {
      const authorization = await authorizationOf(terminal, command);
      await withDatabase(terminal, async ({ database }) => {
        const { partition, games } = await restoreArchive(database, authorization, resolve(file));
        terminal.print(`${games} games of ${partition} can be read again.`);
      });
    });

  archive
    .command('end-restore <partition>')
    .description('end a restore whose file is lost; the games that are back stay')
    .option(...REASON)
    .action(async (partition: string, _options: object, command: Command) => {
      const authorization = await authorizationOf(terminal, command);
      await withDatabase(terminal, async ({ database }) => {
        const { back, archived } = await endRestore(database, authorization, partition);
        terminal.print(`${back} of ${archived} games of ${partition} are back. The month can be archived again.`);
      });
    });

  archive
    .command('list')
    .description('show what is archived, and in which files')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(terminal, async ({ database }) => {
        const archives = await archivesOf(database);
        if (json) terminal.printJson(archives);
        else terminal.printTable(archives, ['partition', 'state', 'games', 'players', 'file', 'sha256']);
      }),
    );
}

function months(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) < FEWEST_MONTHS) {
    throw new InvalidArgumentError(`It must be a whole number from ${FEWEST_MONTHS}.`);
  }
  return Number(text);
}
