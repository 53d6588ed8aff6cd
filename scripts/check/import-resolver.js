/** Finds the source of an import for eslint-plugin-boundaries: `./x.js` is written for `x.ts` or `x.tsx`. */
import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, resolve as join } from 'node:path';

export const interfaceVersion = 2;

/** @param {string} source @param {string} file @returns {{ found: boolean, path?: string | null }} */
export function resolve(source, file) {
  if (source.startsWith('node:') || builtinModules.includes(source)) return { found: true, path: null };
  if (!source.startsWith('.')) return { found: false };
  // Vite's imports may end in a query.
  const path = join(dirname(file), source.replace(/\?.*$/, ''));
  const candidates = [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx'), path];
  // A file that does not exist yet still has a folder, by which its import is judged.
  return { found: true, path: candidates.find((candidate) => existsSync(candidate)) ?? candidates[0] };
}
