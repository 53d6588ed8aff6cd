import type { Command } from 'commander';
import { moderate } from './change.js';
import type { Terminal } from './terminal.js';

export function addGameCommands(program: Command, terminal: Terminal): void {
  program
    .command('game')
    .description('Decide about a game')
    .command('void <game>')
    // The id of a game may begin with a hyphen.
    .allowUnknownOption()
    .description('take a game out of all sums, and recount the others; <game> is the id in the API and in player show')
    .option('--reason <text>', 'why; stored in the audit')
    .action((id: string, _options: object, command: Command) =>
      moderate(terminal, command, (moderation) => moderation.voidGame(id)),
    );
}
