import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '../base/errors.js';

/** The folder of package.json. It is searched for, as the bundle and the compiled files lie at different depths. */
const ROOT = folderOf('package.json', import.meta.dirname);

/** The page that the build makes. */
export const BUILT_CLIENT = join(ROOT, 'dist/client');

/** The database that the build makes from the migrations. A build for production has none. */
export const PREPARED_DATABASE = join(ROOT, 'dist/embedded');

/** @throws {OperatorError} when this process may not write there */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new OperatorError(
      `The server cannot start: it may not write to its data folder ${dataDir} (${(error as NodeJS.ErrnoException).code}). ` +
        'Give its user the right to write there, or set DATA_DIR to another folder.',
      { cause: error },
    );
  }
}

/** `recursive` of Node never ends in a folder such as /proc, in which none can be made. */
function makeFolder(folder: string): void {
  const exists = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  if (exists()) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another server may have made it.
    if (!exists()) throw error;
  }
}

interface Build {
  readonly version: string;
  /** The commit, such as `abc1234`; `abc1234-dirty` when files differed from it, and `unknown` when the build did not know it. */
  readonly revision: string;
}

/** Which version runs, and which commit: scripts/build/revision.js has written it. */
export function readBuild(): Build {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const file = join(ROOT, 'dist/revision');
  return { version, revision: existsSync(file) ? readFileSync(file, 'utf8').trim() : 'unknown' };
}

function folderOf(file: string, start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, file))) return folder;
    if (folder === dirname(folder)) throw new Error(`No folder above ${start} holds ${file}.`);
  }
}
