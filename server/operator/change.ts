import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { OperatorError } from '../base/errors.js';
import { type Decision, Moderation, ModerationError } from '../moderation/moderation.js';
import { authorizationOf, withDatabase } from './session.js';
import type { Terminal } from './terminal.js';

/** Makes one decision. */
type Decide = (moderation: Moderation, id: string) => Promise<Decision>;

/** After these errors, the command goes on with the next id. */
const OF_ONE_ID = [OperatorError, ModerationError];

/** The options of every decision. */
export function decides(command: Command): Command {
  return command.option('--reason <text>', 'why; stored in the audit');
}

/** The same for a decision that a file can repeat. */
export function decidesEach(command: Command): Command {
  return decides(command).option('--file <path>', 'decide about each id in this file, one a line; - reads the input');
}

/** Decides about the id of the command, or about each one in the file of `--file`, and says what has changed. */
export async function moderate(terminal: Terminal, command: Command, named: string | undefined, decide: Decide) {
  const { file } = command.opts<{ file?: string }>();
  if ((named === undefined) === (file === undefined)) throw new OperatorError('Give either an id or --file.');
  const ids = file === undefined ? [named!] : idsIn(file);
  const authorization = await authorizationOf(terminal, command);
  await withDatabase(terminal, async ({ database }) => {
    const moderation = new Moderation(database, authorization);
    const make = async (id: string) => {
      const { changed, said } = await decide(moderation, id);
      return { changed, line: changed ? said : `${said} Nothing has changed.` };
    };
    if (file === undefined) terminal.print((await make(ids[0]!)).line);
    else await makeEach(terminal, ids, make);
  });
}

/** Each decision is a transaction of its own. One that fails does not stop the others. */
async function makeEach(
  terminal: Terminal,
  ids: readonly string[],
  make: (id: string) => Promise<{ changed: boolean; line: string }>,
): Promise<void> {
  const count = { changed: 0, unchanged: 0, failed: 0 };
  try {
    for (const id of ids) {
      try {
        const { changed, line } = await make(id);
        count[changed ? 'changed' : 'unchanged'] += 1;
        terminal.print(`${id}: ${line}`);
      } catch (error) {
        if (!OF_ONE_ID.some((known) => error instanceof known)) throw error;
        count.failed += 1;
        terminal.print(`${id}: FAILED: ${(error as Error).message}`);
      }
    }
  } finally {
    const { changed, unchanged, failed } = count;
    terminal.print(`${changed} of ${ids.length} changed, ${unchanged} were so already, ${failed} failed.`);
    if (failed > 0) terminal.exitCode = 1;
  }
}

/** One id a line; # begins a comment. */
function idsIn(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new OperatorError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const ids = text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean);
  if (ids.length === 0) throw new OperatorError(`${file} has no ids: write one a line.`);
  return [...new Set(ids)];
}
