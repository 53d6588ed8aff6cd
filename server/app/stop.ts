import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { RunningApp } from './app.js';
import { Shutdown } from '../base/shutdown.js';

/** The longest time from the end of the delay to the end of the process, in milliseconds. */
export const LIMIT_MS = 10_000;
/** The time for requests in progress. The rest is for the database connections. */
const REQUESTS_MS = 9_000;

/**
 * Ends the server without losing a request: balancers see the readiness and send their requests elsewhere, then the
 * listener closes, and the requests in progress finish.
 * @param delay how long balancers have to notice, in milliseconds
 */
export async function stop({ app, connections }: RunningApp, delay: number, hurry: AbortSignal): Promise<never> {
  const logger = new Logger('Server');
  const shutdown = app.get(Shutdown);
  logger.log({ event: 'stopping', delay });
  shutdown.isDraining = true;
  connections.drain();
  await pause(delay, undefined, { signal: hurry }).catch(() => undefined);

  setTimeout(() => {
    logger.warn({ event: 'stopped_late', limit: LIMIT_MS });
    process.exit(1);
  }, LIMIT_MS);
  const began = performance.now();
  shutdown.close();
  const cut = await connections.close(REQUESTS_MS);
  await app.close();
  logger.log({ event: 'stopped', cut, ms: Math.round(performance.now() - began) });
  process.exit(0);
}
