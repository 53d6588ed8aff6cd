import { AsyncLocalStorage } from 'node:async_hooks';

/** What code runs for: a request, or work that many requests share. */
export interface Work {
  /** Of a request, as the log has it. */
  readonly id?: string;
  /** Of the client whose network takes turns. Work of the server itself has none. */
  readonly address?: string;
}

/** The work for which code runs. Reading a body loses it, so that of a request begins behind its body. */
export const currentWork = new AsyncLocalStorage<Work>();

/** Runs work that many requests share, so that none of them waits for the turn of another one's network. */
export const forAll = <T>(run: () => T): T => currentWork.run({}, run);
