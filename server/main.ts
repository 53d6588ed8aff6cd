import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { createApp } from './app.js';
import { DataDirInUseError } from './database/data-dir-lock.js';
import { DatabaseUnreachableError } from './database/data-source.js';
import { MigrationLockedError } from './database/migration-lock.js';
import { readEnv, SettingsError } from './env.js';

async function main(): Promise<void> {
  const env = readEnv(process.env);
  const app = await createApp(env);
  await app.listen(env.port, env.host);
  new Logger('Server').log({ event: 'ready', address: env.publicOrigin });
}

/** The operator can fix these, so their message alone is enough. All other errors show a stack trace. */
const OPERATOR_ERRORS = [SettingsError, DataDirInUseError, DatabaseUnreachableError, MigrationLockedError];

try {
  await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return `The server cannot start: ${inspect(error)}`;
  if (OPERATOR_ERRORS.some((known) => error instanceof known)) return error.message;
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return 'The server cannot start: another program already listens on this port. Stop that program, or set PORT to another number.';
  }
  return `The server cannot start: ${error.stack ?? error.message}`;
}
