import { OperationError } from '../command-error.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The first signal ends the work with an error instead of the process, so that the caller can clean up. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const stop = () => interruption.abort();
  for (const name of SIGNALS) process.once(name, stop);
  try {
    const stopped = new Promise<never>((_, fail) => {
      interruption.signal.onabort = () => fail(new OperationError('Interrupted.'));
    });
    return await Promise.race([stopped, work(interruption.signal)]);
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
  }
}
