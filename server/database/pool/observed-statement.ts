import { statementsEnded } from '../database-events.js';

/** Sends a statement, and publishes its end if anybody wants to know. */
export function observed(send: (...given: unknown[]) => unknown, given: unknown[]): unknown {
  if (!statementsEnded.hasSubscribers) return send(...given);
  const [statement] = given;
  const text = typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text);
  const began = performance.now();
  const end = (error?: unknown) => statementsEnded.publish({ text, ms: performance.now() - began, error });
  const callback = given.at(-1);
  if (typeof callback === 'function') {
    given[given.length - 1] = (error: unknown, ...rest: unknown[]) => {
      end(error ?? undefined);
      (callback as (...answer: unknown[]) => void)(error, ...rest);
    };
  }
  const answer = send(...given);
  if (answer instanceof Promise) answer.then(() => end(), end);
  return answer;
}
