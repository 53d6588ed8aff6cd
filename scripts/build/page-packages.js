/** A Vite plugin that lists the packages whose code is in the page, for the list of the image's packages (sbom.js). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of a package: the last one below `node_modules` in the path of its module. */
const PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * Each environment of the build writes its own list. The server serves no hidden folders.
 * @returns {import('vite').Plugin}
 */
export function pagePackages() {
  return {
    name: 'page-packages',
    apply: 'build',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const folders = new Set(modules.flatMap((id) => PACKAGE.exec(id.replaceAll('\\', '/'))?.[1] ?? []));
      const fileName = `.vite/packages-${this.environment.name}.json`;
      const source = JSON.stringify([...folders].map(nameAndVersion).sort(), undefined, 2);
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

function nameAndVersion(/** @type {string} */ folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name}@${version}`;
}
