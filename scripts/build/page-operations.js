/**
 * A Vite plugin that prints the operations of our own pages, so that no page has to (`smallerApollo` in vite.config.ts), and
 * lists the texts, so that the server compiles them (server/graphql/graphql-driver.ts).
 */
import { join } from 'node:path';
import { InMemoryCache } from '@apollo/client';
import { print, stripIgnoredCharacters } from 'graphql';
import { runnerImport } from 'vite';
import { ROOT } from '../machine/run.js';

/** @typedef {import('graphql').DocumentNode} Document */

const GENERATED = join(ROOT, 'client/graphql/generated');
const cache = new InMemoryCache();

/**
 * The server serves no hidden folders.
 * @returns {import('vite').Plugin}
 */
export function pageOperations() {
  return {
    name: 'page-operations',
    apply: 'build',
    async load(id) {
      if (!id.startsWith(join(GENERATED, '/'))) return undefined;
      const documents = Object.entries(await documentsOf(id));
      return documents.map(([name, one]) => `export const ${name} = ${JSON.stringify(printed(one))};`).join('\n');
    },
    async generateBundle() {
      if (this.environment.name !== 'client') return;
      const texts = Object.values(await documentsOf(`${GENERATED}.ts`)).flatMap(
        (one) => printed(one).loc?.source.body ?? [],
      );
      this.emitFile({ type: 'asset', fileName: '.vite/operations.json', source: JSON.stringify(texts, undefined, 2) });
    },
  };
}

/** @param {string} file @returns {Promise<Record<string, Document>>} */
async function documentsOf(file) {
  const { module } = await runnerImport(file);
  return /** @type {Record<string, Document>} */ (module);
}

/** The operation with the type names that Apollo would add, and with its text. @param {Document} document */
function printed(document) {
  if (document.definitions[0]?.kind !== 'OperationDefinition') return document;
  const typed = cache.transformDocument(document);
  return { ...typed, loc: { source: { body: stripIgnoredCharacters(print(typed)) } } };
}
