import { readFileSync } from 'node:fs';

/** Relative to the built file in `dist/server`. */
const PACKAGE = new URL('../../package.json', import.meta.url);

/** Reads the version of the product. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;
}
