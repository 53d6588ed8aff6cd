/** The import boundary between the GraphQL documents of the page's features, which the linter does not read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, visit } from 'graphql';
import { ROOT } from './run.js';

/** @typedef {{ path: string, text: string }} Source */

const SHARED = 'graphql';

/** @returns {Source[]} the documents of the page and the modules that may use them */
export function clientSources() {
  return readdirSync(join(ROOT, 'client'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(graphql|tsx?)$/.test(path) && !/^testing\/|\.test\.tsx?$|^graphql\/generated\.ts$/.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, 'client', path), 'utf8') }));
}

/**
 * A feature uses only its own documents and those of client/graphql.
 * @param {Source[]} sources with paths from client/
 * @returns {string[]} what crosses a boundary, as sentences
 */
export function crossings(sources) {
  /** @type {Map<string, string>} */
  const owners = new Map();
  const documents = sources.filter(({ path }) => path.endsWith('.graphql'));
  for (const { path, text } of documents) {
    for (const definition of parse(text).definitions) {
      if ('name' in definition && definition.name) owners.set(definition.name.value, folderOf(path));
    }
  }
  return sources.flatMap(({ path, text }) =>
    (path.endsWith('.graphql') ? spreadsIn(text) : generatedIn(text)).flatMap((name) => {
      const owner = owners.get(name);
      if (!owner || owner === SHARED || owner === folderOf(path)) return [];
      return [`client/${path} uses ${name} of client/${owner}: put what two features select into client/${SHARED}.`];
    }),
  );
}

/** @param {string} path */
function folderOf(path) {
  return path.split('/')[0] ?? '';
}

/** @param {string} text @returns {string[]} */
function spreadsIn(text) {
  /** @type {string[]} */
  const names = [];
  visit(parse(text), { FragmentSpread: ({ name }) => void names.push(name.value) });
  return names;
}

/** @param {string} text @returns {string[]} the operations and fragments behind what is imported from generated.ts */
function generatedIn(text) {
  const imports = [...text.matchAll(/import (?:type )?\{([^}]*)\} from '[^']*\/graphql\/generated\.js'/g)];
  const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim().replace(/^type /, '')));
  return names.map((name) =>
    name.replace(/(Document|FragmentDoc|Fragment|(Query|Mutation|Subscription)(Variables)?)$/, ''),
  );
}
