/**
 * `npm run upgrade-drill`: builds the last release from git, and replaces two servers of it by this version and back, behind
 * HAProxy and under load. No request may fail. `npm run upgrade-drill -- REVISION` takes another revision.
 */
import './machine/node-version.js';
import { join } from 'node:path';
import { ensureBuilt } from './build/ensure-built.js';
import { buildRevision } from './build/other-revision.js';
import { ensureHaproxy } from './machine/haproxy.js';
import { ensurePackages } from './machine/install.js';
import { lastRelease } from './release/git.js';
import { jest } from './test/jest.js';

const [revision = lastRelease()] = process.argv.slice(2);
if (!revision) {
  console.error(
    'No release (a tag such as v1.2.3) comes before this commit. Fetch the tags with `git fetch --tags`, or name a revision: ' +
      'npm run upgrade-drill -- REVISION',
  );
  process.exit(1);
}
await ensurePackages();
await ensureHaproxy();
await ensureBuilt({ parts: ['server', 'client'] });
const folder = await buildRevision(revision);
// Every revision has the compiled files; old ones have no bundle.
process.env.PREVIOUS_MAIN = join(folder, 'dist/server/main.js');
process.exitCode = (await jest(['--selectProjects', 'drills', '--', 'test/drills/upgrade.test.ts'])).code;
