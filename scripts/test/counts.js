/**
 * Appends the numbers of passed and failed tests to the file COUNTS, so that `.ci/run` can add up several commands. Also a
 * Jest reporter.
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
      // A test file that cannot be loaded counts as one failed test.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    });
  }
}
