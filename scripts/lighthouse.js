/**
 * `npm run lighthouse`: prints the four Lighthouse scores of the login screen and the game, for a phone on a slow network, and
 * every audit below 90. npm downloads Lighthouse for each run, because it is as large as all other tools together.
 */
import './node-version.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signIn, withMeasuredPage } from './measured-page.js';
import { run } from './run.js';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

await withMeasuredPage(async ({ origin, folder, browser, debuggingPort }) => {
  const measure = async (/** @type {string} */ screen) => {
    const file = join(folder, 'report.json');
    const options = [
      `--only-categories=${CATEGORIES.join(',')}`,
      `--port=${debuggingPort}`,
      '--disable-storage-reset',
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
    ];
    await run('npm', ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', origin, ...options], {
      quiet: true,
    });
    const { categories, audits } = JSON.parse(readFileSync(file, 'utf8'));
    const scores = CATEGORIES.map((name) => `${name} ${Math.round(categories[name].score * 100)}`);
    console.log(`${screen.padEnd(14)}${scores.join('   ')}`);
    for (const { id, score, displayValue = '' } of Object.values(audits)) {
      if (score !== null && score < 0.9) console.log(`  ${id}: ${Math.round(score * 100)} ${displayValue}`);
    }
  };

  await measure('login screen');
  const page = await browser.newPage();
  await signIn(page, origin);
  await page.close();
  await measure('game screen');
});
