import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict } from './sql-state.js';

const TRIES = 4;
/** Milliseconds before the first repetition. Each further pause is twice as long. */
const PAUSE = 10;

/** Repeats a transaction that has lost a conflict with another one. The random pause keeps the two from meeting again. */
export async function retryConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction();
    } catch (error) {
      if (tries === TRIES || !isConflict(error)) throw error;
    }
    await sleep(PAUSE * 2 ** (tries - 1) * (0.5 + Math.random()));
  }
}
