import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './folders.js';

/** Reads the version of the product. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
}
