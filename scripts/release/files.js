/**
 * The files of a release, in `dist/release`: those for Compose with the images of IMAGE, what `docker build` needs, the list of
 * packages, the descriptions of the API, the notes, and checksums. `node scripts/release/files.js` makes those of the current commit.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../build/ensure-built.js';
import { ensurePackages } from '../machine/install.js';
import { isMain, ROOT, run } from '../machine/run.js';
import { notesOf } from './changelog.js';
import { contextOf } from './context.js';
import { git } from './git.js';
import { currentVersion } from './version.js';

const FOLDER = 'dist/release';

/** What an operator without the sources needs. Hosts rename a file that begins with a dot. */
const FOR_COMPOSE = {
  'docker-compose.yml': 'docker-compose.yml',
  'docker-compose.trial.yml': 'docker-compose.trial.yml',
  'ops/compose-secrets.yml': 'compose-secrets.yml',
  'ops/privacy.html': 'privacy.html',
  '.env.example': 'env.example',
};

/** For those who write programs. The server has the same bytes at these addresses. */
const DESCRIPTIONS = ['openapi.json', 'schema.graphql'];

/** A file as it stands alone, beside the others. @param {string} text */
export function released(text) {
  const named = Object.entries(FOR_COMPOSE).reduce((found, [file, name]) => found.replaceAll(file, name), text);
  return named.replaceAll('${IMAGE:-tic-tac-toe}', `\${IMAGE:-${process.env.IMAGE || 'tic-tac-toe'}}`);
}

/**
 * @param {{ source?: string, signal?: AbortSignal }} [options] `source` is a commit or tree of git with the files of the image
 * @returns {Promise<string[]>} a line for each file
 */
export async function makeFiles({ source = 'HEAD', signal } = {}) {
  await ensurePackages({ signal });
  await ensureBuilt({ parts: ['server', 'client'], signal });
  await run(process.execPath, ['scripts/sbom.js'], { quiet: true, signal });
  rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  const inFolder = (/** @type {string} */ name) => join(ROOT, FOLDER, name);

  const version = currentVersion();
  const context = `tic-tac-toe-${version}-image-context.tar.gz`;
  const files = git('ls-tree', '-r', '-z', '--name-only', source).split('\0').filter(Boolean).filter(contextOf(ROOT));
  git('archive', '--format=tar.gz', `--output=${inFolder(context)}`, source, '--', ...files);
  const packages = `tic-tac-toe-${version}-sbom.cdx.json`;
  copyFileSync(join(ROOT, 'dist/sbom.cdx.json'), inFolder(packages));
  for (const name of DESCRIPTIONS) copyFileSync(join(ROOT, name), inFolder(name));
  writeFileSync(inFolder('notes.md'), `${notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version)}\n`);
  for (const [file, name] of Object.entries(FOR_COMPOSE)) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    writeFileSync(inFolder(name), released(text));
  }
  const hash = (/** @type {string} */ name) =>
    createHash('sha256')
      .update(readFileSync(inFolder(name)))
      .digest('hex');
  const published = [...Object.values(FOR_COMPOSE), context, packages, ...DESCRIPTIONS];
  writeFileSync(inFolder('SHA256SUMS'), published.map((name) => `${hash(name)}  ${name}\n`).join(''));

  return [...published, 'notes.md', 'SHA256SUMS'].map(
    (name) => `${FOLDER}/${name} (${Math.ceil(statSync(inFolder(name)).size / 1024)} kB)`,
  );
}

if (isMain(import.meta)) for (const line of await makeFiles()) console.log(line);
