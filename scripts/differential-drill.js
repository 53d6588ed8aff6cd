/**
 * `npm run differential-drill -- FOLDER 100000`: plays one random stream of so many games into the built revision in that
 * folder and into this one, and compares every table and every answer. SEED repeats a stream.
 */
import './machine/node-version.js';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureBuilt } from './build/ensure-built.js';
import { ensurePackages } from './machine/install.js';
import { jest } from './test/jest.js';

const [folder, games = '100000'] = process.argv.slice(2);
if (!folder || !existsSync(join(folder, 'dist/bundle/main.js'))) {
  console.error('Name the folder of a built revision: npm run differential-drill -- ../older 100000');
  process.exit(1);
}
await ensurePackages();
await ensureBuilt({ parts: ['server', 'client'] });
process.env.OTHER_REVISION = resolve(folder);
process.env.GAMES = games;
process.exitCode = (await jest(['--selectProjects', 'drills', '--', 'test/drills/differential.test.ts'])).code;
