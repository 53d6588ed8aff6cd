/**
 * `npm run sbom`: writes `dist/sbom.cdx.json`, the packages of the image in CycloneDX form: those of the server, and those whose
 * code is in the built page. Run it after the build.
 */
import './machine/node-version.js';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './machine/run.js';

const FILE = 'dist/sbom.cdx.json';
const PAGE = join(ROOT, 'dist/client');
const DEVELOPMENT = 'cdx:npm:package:development';

/**
 * @typedef {{ 'bom-ref': string, name: string, properties: { name: string }[], scope?: string }} Component
 * @typedef {{ ref: string, dependsOn: string[] }} Dependency
 * @typedef {{ metadata: { component: Component }, components: Component[], dependencies: Dependency[] }} Sbom
 */

// From the lock: a folder of packages may hold what an earlier lock named.
const words = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
const npm = process.env.npm_execpath;
const [program, args] = npm?.endsWith('.js') ? [process.execPath, [npm, ...words]] : ['npm', words];
/** @type {Sbom} */
const sbom = JSON.parse(execFileSync(program, args, { cwd: ROOT, maxBuffer: 64_000_000, encoding: 'utf8' }));
/** @typedef {{ version: string, dev?: boolean, optional?: boolean, devOptional?: boolean, inBundle?: boolean }} Package */
/** @type {{ name: string, packages: Record<string, Package> }} */
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
// What may be in the bundle, and what stands beside it with its optional packages. `npm sbom` marks a version for development when any copy of it is.
const ofServer = Object.entries(lock.packages)
  .filter(
    ([path, { dev, optional, devOptional, inBundle }]) =>
      path !== '' && (inBundle || (!dev && !optional && !devOptional)),
  )
  .map(([path, { version }]) => `${path.replace(/.*node_modules\//, '')}@${version}`);
// The headings of the licences that Vite has collected: packages for development, because only the build reads them.
const ofPage = readdirSync(PAGE, { recursive: true, encoding: 'utf8' })
  .filter((path) => basename(path) === 'licenses.txt')
  .flatMap((path) => [...readFileSync(join(PAGE, path), 'utf8').matchAll(/^## (\S+) - (\S+)/gm)])
  .map(([, name, version]) => `${name}@${version}`);

const root = sbom.metadata.component;
// npm takes the name of the product from the folder's.
root.name = lock.name;
const kept = new Set([root['bom-ref'], ...ofServer, ...ofPage]);
sbom.components = sbom.components
  .filter((component) => kept.has(component['bom-ref']))
  .map((component) => ({
    ...component,
    scope: 'required',
    properties: component.properties.filter(({ name }) => name !== DEVELOPMENT),
  }));
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
writeFileSync(join(ROOT, FILE), `${JSON.stringify(sbom, undefined, 2)}\n`);
console.log(`${FILE}: ${sbom.components.length} packages`);
