import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { OperatorError } from '../base/errors.js';
import { connect, databaseOptions, loadedEntities } from '../database/data-source.js';
import { isUuid } from '../base/uuid.js';
import { schemaState } from '../database/migrations.js';
import { type Env, readEnv } from '../settings/env.js';
import { Refusal } from '../web/answers/refusals.js';
import { visibleText } from '../web/input.js';
import type { Authorization } from '../account/audit.repository.js';
import type { Terminal } from './terminal.js';

export function playerId(text: string): string {
  if (!isUuid(text)) throw new OperatorError(`${text} is not the id of a player. Find it with: ttt player find <name>`);
  return text.toLowerCase();
}

/** Its message alone is enough for the operator, and a command for many ids goes on. */
export const isForOperator = (error: unknown) => error instanceof OperatorError || error instanceof Refusal;

/** The schemas with which a command works: one of a later version has all that this one reads. */
type Schemas = 'any' | 'this' | 'this or later';

export async function withDatabase<T>(
  { settings }: Terminal,
  work: (opened: { env: Env; database: DataSource }) => Promise<T>,
  schemas: Schemas = 'this',
): Promise<T> {
  const env = readEnv(settings);
  const options = await databaseOptions(env, 'maintenance');
  const database = await connect({ ...options, entities: loadedEntities() });
  try {
    if (schemas !== 'any') await requireSchema(database, schemas);
    return await work({ env, database });
  } finally {
    await database.destroy();
  }
}

/** For a command that changes nothing. */
export const readDatabase: typeof withDatabase = (terminal, work) => withDatabase(terminal, work, 'this or later');

async function requireSchema(database: DataSource, schemas: Schemas): Promise<void> {
  const { pending, unknown } = await schemaState(database);
  if (unknown.length > 0 && schemas === 'this') {
    throw new OperatorError(
      `The schema is newer than this version (${unknown.join(', ')}). To change something, use the ttt command of that version.`,
    );
  }
  if (pending.length > 0) {
    throw new OperatorError(`The schema lacks ${pending.join(', ')}. Apply it first: ttt migrate`);
  }
}

/** User names that name no person: `node` is the user of the image. */
const ANYBODY = ['node', 'root'];

/** Who makes the change: the option or the setting, else the user of the operating system if it is a person's. */
async function operatorOf(terminal: Terminal, operator: string | undefined): Promise<string> {
  const named = (operator ?? terminal.settings.TTT_OPERATOR)?.trim() || userOfSystem(terminal);
  const name = named ?? (terminal.isInteractive ? await ask('Your name, for the audit: ') : '');
  if (!name)
    throw new OperatorError('A change needs your name, for the audit: add --operator NAME, or set TTT_OPERATOR.');
  return checked(visibleText('--operator', 100), name);
}

function userOfSystem({ settings }: Terminal): string | undefined {
  try {
    const { username } = userInfo();
    const person = username === 'root' && settings.SUDO_USER ? settings.SUDO_USER : username;
    return ANYBODY.includes(person) ? undefined : person;
  } catch {
    // A container may run as a user without a name.
    return undefined;
  }
}

/** Asks for the reason, and for the name where nothing tells it, if a person can answer. */
export async function authorizationOf(terminal: Terminal, command: Command): Promise<Authorization> {
  const options = command.optsWithGlobals<{ operator?: string; reason?: string }>();
  const reason = (options.reason ?? (terminal.isInteractive ? await ask('Reason: ') : '')).trim();
  if (!reason) throw new OperatorError('A change needs a reason: add --reason "…"');
  return {
    reason: checked(visibleText('--reason', 1_000), reason),
    operator: await operatorOf(terminal, options.operator),
  };
}

function checked(shape: ReturnType<typeof visibleText>, text: string): string {
  const { data, error } = shape.safeParse(text);
  if (error) throw new OperatorError(error.issues[0]!.message);
  return data;
}

async function ask(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question(question)).trim();
  } finally {
    prompt.close();
  }
}
