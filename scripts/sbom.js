/**
 * `npm run sbom`: writes `dist/sbom.cdx.json`, the packages of the image in CycloneDX form: those of the server, and those whose
 * code is in the built page. Run it after the build.
 */
import './machine/node-version.js';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './machine/run.js';

const FILE = 'dist/sbom.cdx.json';
const LISTS = 'dist/client/.vite';
const DEVELOPMENT = 'cdx:npm:package:development';

/**
 * @typedef {{ name: string, value: string }} Property
 * @typedef {{ 'bom-ref': string, name: string, properties: Property[], scope?: string }} Component
 * @typedef {{ ref: string, dependsOn: string[] }} Dependency
 * @typedef {{ metadata: { component: Component }, components: Component[], dependencies: Dependency[] }} Sbom
 * @typedef {{ packages: Record<string, { version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }> }} Lock
 */

/**
 * Keeps the packages of the server and of the page. npm takes the name of the product from the folder's.
 * @param {string} name
 * @param {Sbom} all
 * @param {ReadonlySet<string>} kept   `name@version`
 * @returns {Sbom}
 */
function reduceTo(name, all, kept) {
  const root = all.metadata.component['bom-ref'];
  const isKept = (/** @type {string} */ ref) => ref === root || kept.has(ref);
  return {
    ...all,
    metadata: { ...all.metadata, component: { ...all.metadata.component, name } },
    components: all.components
      .filter((component) => isKept(component['bom-ref']))
      .map((component) => ({
        ...component,
        scope: 'required',
        properties: component.properties.filter(({ name }) => name !== DEVELOPMENT),
      })),
    dependencies: all.dependencies
      .filter(({ ref }) => isKept(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
  };
}

/**
 * The packages that `npm ci --omit=dev --omit=optional` installs.
 * @param {Lock} lock
 */
function packagesOfServer({ packages }) {
  return Object.entries(packages)
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional)
    .map(
      ([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
    );
}

/** @returns {Sbom} */
function everyPackage() {
  const words = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];
  // npm sets npm_execpath.
  const npm = process.env.npm_execpath;
  const [program, args] = npm?.endsWith('.js') ? [process.execPath, [npm, ...words]] : ['npm', words];
  return JSON.parse(execFileSync(program, args, { cwd: ROOT, maxBuffer: 64_000_000, encoding: 'utf8' }));
}

/** What the plugin in page-packages.js has written. */
function packagesOfPage() {
  const lists = readdirSync(join(ROOT, LISTS)).filter((name) => /^packages-\w+\.json$/.test(name));
  return lists.flatMap((name) => /** @type {string[]} */ (JSON.parse(readFileSync(join(ROOT, LISTS, name), 'utf8'))));
}

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const sbom = reduceTo(lock.name, everyPackage(), new Set([...packagesOfServer(lock), ...packagesOfPage()]));
writeFileSync(join(ROOT, FILE), `${JSON.stringify(sbom, undefined, 2)}\n`);
console.log(`${FILE}: ${sbom.components.length} packages`);
