#!/usr/bin/env node
/** The command line of the operator: `npm run ttt -- --help`, in the image `ttt --help`. */
import { Command } from 'commander';
import { BanKeyUnreadableError } from './auth/players/bans.js';
import { addAuditCommand } from './cli/audit-command.js';
import { addDatabaseCommands } from './cli/database-commands.js';
import { addPlayerCommands } from './cli/player-commands.js';
import { CommandError } from './cli/session.js';
import { DataDirInUseError } from './database/data-dir-lock.js';
import { DatabaseUnreachableError } from './database/data-source.js';
import { NotDistributableError } from './database/distribution.js';
import { MigrationLockedError } from './database/migration-lock.js';
import { SettingsError } from './env.js';
import { ModerationError } from './moderation/moderation.js';

const program = new Command('ttt')
  .description('Operates the game. It reads the same settings as the server.')
  .option('--operator <name>', 'who makes a change, for the audit (default: the user of the operating system)')
  .showHelpAfterError('(ttt --help lists all commands)');
addPlayerCommands(program);
addAuditCommand(program);
addDatabaseCommands(program);

/** Their message alone is enough for the operator. All other errors show a stack trace. */
const OPERATOR_ERRORS = [
  BanKeyUnreadableError,
  CommandError,
  DataDirInUseError,
  DatabaseUnreachableError,
  MigrationLockedError,
  ModerationError,
  NotDistributableError,
  SettingsError,
];

try {
  await program.parseAsync();
} catch (error) {
  const known = OPERATOR_ERRORS.some((type) => error instanceof type);
  process.stderr.write(
    `${error instanceof Error ? ((known ? undefined : error.stack) ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
}
