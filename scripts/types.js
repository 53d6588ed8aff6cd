/**
 * Writes client/graphql/generated.ts from schema.graphql and the client's .graphql files (`npm run generate`).
 *
 * It writes the documents as syntax trees, so that the page needs no GraphQL parser. @graphql-codegen/cli would add a hundred
 * packages for the same result.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';
import { ROOT } from './machine/run.js';

const output = join(ROOT, 'client/graphql/generated.ts');
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

writeFileSync(
  output,
  `// Written by scripts/types.js from schema.graphql and client/**/*.graphql. Do not edit.\n${body}`,
);

function documentPaths() {
  return readdirSync(join(ROOT, 'client'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.graphql'))
    .map((path) => join('client', path))
    .sort();
}
