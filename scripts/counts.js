/**
 * How many passed and how many failed, for whoever adds up several commands: with COUNTS set to a file, each of them
 * leaves a line there. Also a Jest reporter.
 */
import { appendFileSync } from 'node:fs';

/** @param {{ passed: number, failed: number, skipped: number }} counts */
export function writeCounts(counts) {
  if (process.env.COUNTS) appendFileSync(process.env.COUNTS, `${JSON.stringify(counts)}\n`);
}

/**
 * @typedef {'numPassedTests' | 'numFailedTests' | 'numRuntimeErrorTestSuites' | 'numPendingTests' | 'numTodoTests'} Count
 * @typedef {Record<Count, number>} Results
 */
export default class CountsReporter {
  /** @param {unknown} _contexts @param {Results} results */
  onRunComplete(_contexts, results) {
    writeCounts({
      passed: results.numPassedTests,
      // A file that could not be loaded holds tests that nobody counted: it counts as one that failed.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    });
  }
}
