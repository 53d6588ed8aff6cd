import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { connect, databaseOptions } from '../../database/data-source.js';
import { schemaState } from '../../schema/schema-state.js';
import { type Env, readEnv } from '../../settings/env.js';
import type { Authorization } from '../moderation/audit.js';
import { entities } from './entities.js';
import type { Terminal } from './terminal.js';

/** An expected failure. Its message says what the operator can do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** What a command works with. */
export interface Session {
  readonly env: Env;
  readonly database: DataSource;
}

/** Connects for one command. Without `anySchema`, the schema must be the one of this version. */
export async function withDatabase<T>(
  { settings }: Terminal,
  work: (session: Session) => Promise<T>,
  { anySchema = false }: { anySchema?: boolean } = {},
): Promise<T> {
  const env = readEnv(settings);
  const options = await databaseOptions(env, 'maintenance');
  const database = await connect({ ...options, entities });
  try {
    if (!anySchema) await requireCurrentSchema(database);
    return await work({ env, database });
  } finally {
    await database.destroy();
  }
}

async function requireCurrentSchema(database: DataSource): Promise<void> {
  const { pending, unknown } = await schemaState(database);
  if (unknown.length > 0) {
    throw new CommandError(
      `The schema is newer than this version (${unknown.join(', ')}). Use the ttt command of that version.`,
    );
  }
  if (pending.length > 0) {
    throw new CommandError(`The schema lacks ${pending.length} migrations. Apply them first: ttt migrate`);
  }
}

/** Who makes the change: the option, or the user of the operating system. */
function operatorOf({ operator }: { operator?: string }): string {
  if (operator?.trim()) return operator.trim();
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Asks for the reason where a person can answer. */
export async function authorizationOf(terminal: Terminal, command: Command): Promise<Authorization> {
  const options = command.optsWithGlobals<{ operator?: string; reason?: string }>();
  const reason = (options.reason ?? (terminal.isInteractive ? await askReason() : '')).trim();
  if (!reason) throw new CommandError('A change needs a reason: add --reason "…"');
  return { operator: operatorOf(options), reason };
}

async function askReason(): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question('Reason: ');
  } finally {
    prompt.close();
  }
}
