/**
 * Compares the API with that of the last release: a breaking change fails, a dangerous one is listed. A step of
 * `npm run check`. Promises and deprecations are in docs/api.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, findBreakingChanges, findDangerousChanges } from 'graphql';
import { ROOT } from '../machine/run.js';
import { askGit, lastRelease } from '../release/git.js';
import { openApiChanges } from './openapi-changes.js';

/** Before the first release: the commit whose API clients know. */
const FIRST = '254eac4';

const release = lastRelease() ?? FIRST;
const then = (/** @type {string} */ file) => askGit('show', `${release}:${file}`);
const now = (/** @type {string} */ file) => readFileSync(join(ROOT, file), 'utf8');

const breaking = [];
const dangerous = [];
const schema = then('schema.graphql');
if (schema === undefined) {
  console.log(`Nothing is compared: git does not know ${release} here. To compare: git fetch --unshallow --tags`);
} else {
  const both = /** @type {const} */ ([buildSchema(schema), buildSchema(now('schema.graphql'))]);
  breaking.push(...findBreakingChanges(...both).map(({ description }) => description));
  dangerous.push(...findDangerousChanges(...both).map(({ description }) => description));
}
const document = then('openapi.json');
if (document === undefined) {
  if (schema !== undefined) console.log(`${release} has no openapi.json to compare.`);
} else {
  const changes = openApiChanges(JSON.parse(document), JSON.parse(now('openapi.json')));
  breaking.push(...changes.breaking);
  dangerous.push(...changes.dangerous);
}
for (const change of dangerous) console.log(`Since ${release}, dangerous: ${change}`);
for (const change of breaking) console.log(`Since ${release}, breaking: ${change}`);
process.exitCode = breaking.length > 0 ? 1 : 0;
