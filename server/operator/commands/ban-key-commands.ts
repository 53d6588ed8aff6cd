import type { Command } from 'commander';
import { replaceBanKey, resealBanKey } from '../moderation/ban-key.js';
import { change } from './change.js';
import type { Terminal } from './terminal.js';

export function addBanKeyCommands(program: Command, terminal: Terminal): void {
  const banKey = program
    .command('ban-key')
    .description('Take care of the key of the bans, after a change of AUTH_SECRET');
  banKey
    .command('reseal')
    .description('encrypt it with the first secret of AUTH_SECRET')
    .option('--reason <text>', 'why; stored in the audit')
    .action((_options: object, command: Command) =>
      change(terminal, command, ({ database, bans }, authorization) => resealBanKey(database, bans, authorization)),
    );
  banKey
    .command('replace')
    .description('begin with a new one, when its secret is lost; ends the bans of deleted accounts')
    .option('--force', 'also when a secret of AUTH_SECRET opens the old one')
    .option('--reason <text>', 'why; stored in the audit')
    .action((options: { force?: boolean }, command: Command) =>
      change(terminal, command, ({ database, bans }, authorization) =>
        replaceBanKey(database, bans, authorization, options),
      ),
    );
}
