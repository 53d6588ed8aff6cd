/**
 * `npm run lighthouse`: prints the four Lighthouse scores of the login screen and the game, for a phone on a slow network:
 * medians of five runs with their ranges, every audit below 90, and the longest tasks of the main thread with their causes.
 * `npm run lighthouse -- 9` makes nine runs. npm downloads Lighthouse for each command, because it is as large as all other
 * tools together.
 */
import './machine/node-version.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './machine/run.js';
import { describeTask, longTasks } from './measure/main-thread.js';
import { signIn, withMeasuredPage } from './measure/measured-page.js';
import { quantile } from './measure/quantile.js';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const METRICS = /** @type {const} */ ({
  'first-contentful-paint': 'ms',
  'largest-contentful-paint': 'ms',
  'speed-index': 'ms',
  'total-blocking-time': 'ms',
  'cumulative-layout-shift': '',
});
const RUNS = Number(process.argv[2] ?? 5);
/** Lighthouse multiplies each task by four, and counts what exceeds 50 ms. */
const LONG_TASK_MS = 50 / 4;
const SHOWN_TASKS = 6;

/**
 * @typedef {{ score: number | null, numericValue?: number, displayValue?: string }} Audit
 * @typedef {{ scores: number[], audits: Record<string, Audit>, tasks: import('./measure/main-thread.js').Task[] }} Report
 */

await withMeasuredPage(async ({ origin, folder, browser, debuggingPort }) => {
  const measure = async (/** @type {string} */ screen) => {
    const reports = [];
    for (let nth = 0; nth < RUNS; nth++) reports.push(await report());
    print(screen, reports);
  };

  /** @returns {Promise<Report>} */
  const report = async () => {
    const options = [
      `--only-categories=${CATEGORIES.join(',')}`,
      `--port=${debuggingPort}`,
      '--disable-storage-reset',
      '--quiet',
      '--output=json',
      `--output-path=${join(folder, 'report.json')}`,
      '--save-assets',
    ];
    const command = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', origin, ...options];
    const load = () => run('npm', command, { quiet: true });
    // Now and then, Chromium's trace lacks the start of the navigation.
    await load().catch(load);
    const { categories, audits } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    const { traceEvents } = JSON.parse(readFileSync(join(folder, 'report-0.trace.json'), 'utf8'));
    return {
      scores: CATEGORIES.map((name) => Math.round(categories[name].score * 100)),
      audits,
      tasks: longTasks(traceEvents, origin, LONG_TASK_MS),
    };
  };

  await measure('login screen');
  const page = await browser.newPage();
  await signIn(page, origin);
  await page.close();
  await measure('game screen');
});

function print(/** @type {string} */ screen, /** @type {Report[]} */ reports) {
  console.log(`${screen}, median of ${reports.length} runs (lowest to highest):`);
  for (const [at, name] of CATEGORIES.entries()) {
    console.log(`  ${name.padEnd(26)}${range(reports.map(({ scores }) => scores[at] ?? 0))}`);
  }
  for (const [name, unit] of Object.entries(METRICS)) {
    console.log(`  ${name.padEnd(26)}${range(reports.map(({ audits }) => audits[name]?.numericValue ?? 0))} ${unit}`);
  }
  const byScore = reports.toSorted((one, other) => (one.scores[0] ?? 0) - (other.scores[0] ?? 0));
  const median = byScore[Math.ceil(reports.length / 2) - 1];
  if (!median) return;
  for (const [id, { score, displayValue = '' }] of Object.entries(median.audits)) {
    if (score !== null && score < 0.9) console.log(`  below 90: ${id} ${Math.round(score * 100)} ${displayValue}`);
  }
  console.log(`  tasks above ${LONG_TASK_MS} ms in the median run: ${median.tasks.length}`);
  for (const task of median.tasks.slice(0, SHOWN_TASKS)) console.log(`    ${describeTask(task)}`);
}

function range(/** @type {number[]} */ values) {
  const shown = (/** @type {number} */ value) => Number(value.toFixed(value < 1 ? 3 : 0));
  return `${shown(quantile(values, 0.5))} (${shown(Math.min(...values))} to ${shown(Math.max(...values))})`;
}
