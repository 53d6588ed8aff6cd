/**
 * Appends the numbers of passed and failed tests to the file COUNTS, so that `.ci/run` can add up several commands. Also a
 * Jest reporter.
 */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/** @param {{ passed: number, failed: number, skipped: number }} counts */
export function writeCounts(counts) {
  if (process.env.COUNTS) appendFileSync(process.env.COUNTS, `${JSON.stringify(counts)}\n`);
}

/**
 * @typedef {{ fullName: string, invocations?: number }} Test
 * @typedef {'numPassedTests' | 'numFailedTests' | 'numRuntimeErrorTestSuites' | 'numPendingTests' | 'numTodoTests'} Count
 * @typedef {Record<Count, number> & { testResults: { testFilePath: string, testResults: Test[] }[] }} Results
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
    // A test that passes at the second attempt is a finding.
    for (const { testFilePath, testResults } of results.testResults) {
      for (const { fullName, invocations = 1 } of testResults) {
        if (invocations > 1) console.log(`Ran ${invocations} times: ${relative('.', testFilePath)}, ${fullName}`);
      }
    }
  }
}
