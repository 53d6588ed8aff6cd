/**
 * Writes client/graphql/generated.ts from schema.graphql and the client's .graphql files (`npm run generate`).
 *
 * It writes the documents as syntax trees, so that the page needs no GraphQL parser, and those of each .graphql file into a
 * module of their own, so that documents of dialogs load with the dialogs. @graphql-codegen/cli would add a hundred packages
 * for the same result.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';
import { ROOT } from './machine/run.js';

const folder = join(ROOT, 'client/graphql/generated');
const output = `${folder}.ts`;
const HEADER = '// Written by scripts/types.js from schema.graphql and client/**/*.graphql. Do not edit.';
/** A line with a document: its name and its types. */
const DOCUMENT =
  /^export const (\w+?)(?:Document|FragmentDoc) = .* as unknown as DocumentNode<(\w+), (?:unknown|(\w+))>;$/;
const DOCUMENT_NODE = "import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';";

const read = (/** @type {string} */ path) => parse(readFileSync(join(ROOT, path), 'utf8'));

const body = await codegen({
  filename: output,
  schema: read('schema.graphql'),
  documents: documentPaths().map((location) => ({ location, document: read(location) })),
  plugins: [{ typescriptOperations: {} }, { typedDocumentNode: {} }],
  pluginMap: { typescriptOperations, typedDocumentNode },
  config: {
    enumType: 'string-literal',
    scalars: { ID: 'string', DateTime: 'string' },
    // With `__typename` in the types, the compiler checks that a `switch` handles every member of a union.
    nonOptionalTypename: true,
    skipTypeNameForRoot: true,
    dedupeFragments: true,
    inlineFragmentTypes: 'combine',
    documentMode: 'documentNode',
    optimizeDocumentNode: true,
    useTypeImports: true,
  },
});

const lines = body.split('\n');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const modules = documentPaths().map(writeDocuments);
const types = lines.filter((line) => !DOCUMENT.test(line) && line !== DOCUMENT_NODE);
writeFileSync(
  output,
  [HEADER, ...types, ...modules.map((module) => `export * from './generated/${module}.js';`), ''].join('\n'),
);

/** @param {string} path of a .graphql file @returns {string} the name of the module with its documents */
function writeDocuments(path) {
  const module = basename(path, '.graphql');
  const names = read(path).definitions.map((definition) => 'name' in definition && definition.name?.value);
  const own = lines.filter((line) => names.includes(DOCUMENT.exec(line)?.[1]));
  const used = new Set(own.flatMap((line) => DOCUMENT.exec(line)?.slice(2).filter(Boolean) ?? []));
  const imported = `import type { ${[...used].join(', ')} } from '../generated.js';`;
  writeFileSync(join(folder, `${module}.ts`), [HEADER, DOCUMENT_NODE, imported, ...own, ''].join('\n'));
  return module;
}

function documentPaths() {
  return readdirSync(join(ROOT, 'client'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.graphql'))
    .map((path) => join('client', path))
    .sort();
}
