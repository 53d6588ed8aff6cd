import { Logger } from '@nestjs/common';
import { createApp } from './app.js';
import { readEnv, SettingsError } from './env.js';

async function main(): Promise<void> {
  const env = readEnv(process.env);
  const app = await createApp(env);
  await app.listen(env.port, env.host);
  new Logger('Server').log({ event: 'ready', address: env.publicOrigin });
}

try {
  await main();
} catch (error) {
  // Before the log exists; and an operator who reads this needs the sentence, not where in our code it was thrown.
  const expected = error instanceof SettingsError || (error instanceof Error && error.name === 'DataDirInUseError');
  process.stderr.write(`${expected ? error.message : `The server cannot start: ${explain(error)}`}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'another program already listens there. Stop it, or set PORT to another number.';
  if (code === 'ECONNREFUSED') return `the database at DATABASE_URL does not answer (${error.message}).`;
  return error.stack ?? error.message;
}
