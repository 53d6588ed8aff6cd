import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { createApp } from './app.js';
import { readEnv } from './env.js';

async function main(): Promise<void> {
  const env = readEnv(process.env);
  const app = await createApp(env);
  await app.listen(env.port, env.host);
  new Logger('Server').log({ event: 'ready', address: env.publicOrigin });
}

/** What an operator can mend is told in its own sentence; of anything else, where it was thrown. */
const TO_BE_MENDED = ['SettingsError', 'DataDirInUseError', 'DatabaseUnreachableError'];

try {
  await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return `The server cannot start: ${inspect(error)}`;
  if (TO_BE_MENDED.includes(error.name)) return error.message;
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return 'The server cannot start: another program already listens there. Stop it, or set PORT to another number.';
  }
  return `The server cannot start: ${error.stack ?? error.message}`;
}
