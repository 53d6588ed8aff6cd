/**
 * `npm run upgrade-drill`: builds the last release from git, and replaces two servers of it by this version and back, behind
 * HAProxy and under load. No request may fail. `npm run upgrade-drill -- REVISION` takes another revision.
 */
import './machine/node-version.js';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build/ensure-built.js';
import { ensureHaproxy } from './machine/haproxy.js';
import { ensurePackages } from './machine/install.js';
import { ROOT, run } from './machine/run.js';
import { git, lastRelease } from './release/git.js';
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
const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-upgrade-'));
try {
  await build(revision, folder);
  // Every revision has the compiled files; old ones have no bundle.
  process.env.PREVIOUS_MAIN = join(folder, 'dist/server/main.js');
  process.exitCode = (await jest(['--selectProjects', 'drills', '--', 'test/drills/upgrade.test.ts'])).code;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} of @param {string} target */
async function build(of, target) {
  console.log(`Building ${of} …`);
  const archive = join(target, 'sources.tar');
  await run('git', ['archive', '--output', archive, of], { quiet: true });
  await run('tar', ['-xf', archive, '-C', target], { quiet: true });
  const lock = (/** @type {string} */ root) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lock(target) === lock(ROOT)) {
    cpSync(join(ROOT, 'node_modules'), join(target, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  } else {
    await run('npm', ['ci', '--prefix', target, '--prefer-offline', '--include=dev'], { quiet: true });
  }
  const env = { ...process.env, REVISION: git('rev-parse', of) };
  await run(process.execPath, [join(target, 'scripts/build.js'), 'server'], { env, quiet: true });
  // The page is not part of the drill.
  if (!existsSync(join(target, 'dist/client'))) {
    mkdirSync(join(target, 'dist'), { recursive: true });
    cpSync(join(ROOT, 'dist/client'), join(target, 'dist/client'), { recursive: true });
  }
}
