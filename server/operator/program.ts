import { isIP } from 'node:net';
import { Command, CommanderError } from 'commander';
import { OperatorError } from '../base/errors.js';
import { readEnv } from '../settings/env.js';
import { readBuild } from '../settings/folders.js';
import { Keys } from '../settings/keys.js';
import { NetworkHash } from '../web/requests/client-address.js';
import { addAuditCommand, addGameCommands, addPlayerCommands } from './moderation-commands.js';
import { addDatabaseCommands } from './database-commands.js';
import { addDoctorCommand } from './doctor.js';
import { isForOperator } from './session.js';
import { Terminal } from './terminal.js';

interface Output {
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly isInteractive: boolean;
}

/** Runs one command of `ttt`. @returns the exit code */
export async function runCommand(
  words: readonly string[],
  settings: Readonly<Record<string, string | undefined>>,
  { write, complain, isInteractive }: Output,
): Promise<number> {
  const terminal = new Terminal(settings, write, isInteractive);
  try {
    await programOn(terminal, { write, complain }).parseAsync([...words], { from: 'user' });
    return terminal.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    complain(`${explain(error)}\n`);
    return 1;
  }
}

function programOn(terminal: Terminal, { write, complain }: Pick<Output, 'write' | 'complain'>): Command {
  // Subcommands inherit these settings, so they come first.
  const { version, revision } = readBuild();
  const program = new Command('ttt')
    .description('Operates the game. It reads the same settings as the server.')
    .version(`${version} (${revision})`, '--version', 'print the version and its commit')
    .option(
      '--operator <name>',
      'who makes a change, for the audit (default: TTT_OPERATOR, or the user of the operating system but node and root; with sudo, who called it)',
    )
    .showHelpAfterError('(ttt --help lists all commands)')
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: complain });
  addPlayerCommands(program, terminal);
  addGameCommands(program, terminal);
  addAuditCommand(program, terminal);
  addDatabaseCommands(program, terminal);
  addDoctorCommand(program, terminal);
  program
    .command('network <address>')
    .description('print the network of an IP address as the log names it')
    .action((address: string) => {
      if (!isIP(address)) throw new OperatorError(`${address} is not an IP address.`);
      terminal.print(new NetworkHash(new Keys(readEnv(terminal.settings))).of(address));
    });
  return program;
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isForOperator(error) ? error.message : (error.stack ?? error.message);
}
