/**
 * Jest loads every module anew for each test file. What this transform is for, Node loads once for a worker: large packages, and
 * the modules of the product, as they are built. Their errors are Node's: for a test, they are no `instanceof Error`.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { ROOT } from '../../scripts/machine/run.js';

const require = createRequire(import.meta.url);

export default {
  /** @param {string} source @param {string} path */
  getCacheKey: (source, path) => createHash('sha256').update(`${path}\n${source}`).digest('hex'),

  /** @param {string} _source @param {string} path */
  process(_source, path) {
    const file = path.endsWith('.ts') ? join(ROOT, 'dist', relative(ROOT, path)).replace(/ts$/, 'js') : path;
    const names = Object.keys(require(file)).filter((name) => /^(?!default$)[\w$]+$/.test(name));
    // The environment has it (see environment.js).
    return {
      code: [
        `const all = kept.require(${JSON.stringify(file)});`,
        'export default all.default;',
        ...names.map((name) => `export const ${name} = all.${name};`),
      ].join('\n'),
    };
  },
};
