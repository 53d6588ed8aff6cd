import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { createApp } from './app.js';
import { OperatorError } from '../base/errors.js';
import { cannotListen, isSecureContext, readEnv } from '../settings/env.js';
import { readBuild } from '../settings/folders.js';
import { stop } from './stop.js';

async function main(): Promise<void> {
  const env = readEnv(process.env);
  const running = await createApp(env);
  await running.app.listen(env.port, env.host).catch((error: unknown) => {
    throw cannotListen(error as NodeJS.ErrnoException, 'PORT', 'HOST');
  });
  // Ctrl-C in a terminal is quick, because no balancer stands before the server.
  onStop = (signal, hurry) => stop(running, signal === 'SIGINT' ? 0 : env.shutdownDelay, hurry);
  const logger = new Logger('Server');
  if (!isSecureContext(env.publicOrigin)) {
    logger.warn(
      `PUBLIC_ORIGIN is ${env.publicOrigin}: nobody can sign in, because browsers allow it only over https or on localhost. ` +
        'Put a TLS proxy in front of this server, and set PUBLIC_ORIGIN to its https address.',
    );
  }
  logger.log({ event: 'ready', address: env.publicOrigin, ...readBuild() });
}

type Signal = 'SIGTERM' | 'SIGINT';

/** Process 1 of a container ignores signals without a handler, so there is one from the start. */
let onStop: (signal: Signal, hurry: AbortSignal) => Promise<never> = () => process.exit(0);
let hurry: AbortController | undefined;

function end(signal: Signal): void {
  // A second signal ends the delay.
  if (hurry) return hurry.abort();
  hurry = new AbortController();
  onStop(signal, hurry.signal).catch((error: unknown) => {
    process.stderr.write(`The server did not stop in order: ${inspect(error)}\n`);
    process.exit(1);
  });
}

process.on('SIGTERM', end).on('SIGINT', end);

try {
  await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return `The server cannot start: ${inspect(error)}`;
  if (error instanceof OperatorError) return error.message;
  return `The server cannot start: ${error.stack ?? error.message}`;
}
