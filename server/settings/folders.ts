import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json. It is searched for, as the bundle and the compiled files lie at different depths. */
const ROOT = folderOf('package.json', import.meta.dirname);

/** The page that the build makes. */
export const BUILT_CLIENT = join(ROOT, 'dist/client');

/** The database that the build makes from the migrations. A build for production has none. */
export const PREPARED_DATABASE = join(ROOT, 'dist/embedded');

/** Reads the version of the product. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
}

function folderOf(file: string, start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, file))) return folder;
    if (folder === dirname(folder)) throw new Error(`No folder above ${start} holds ${file}.`);
  }
}
