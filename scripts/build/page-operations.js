/**
 * A Vite plugin that lists the operations of our own pages in the text that they send, so that the server compiles them
 * (server/graphql/graphql-driver.ts).
 */
import { join } from 'node:path';
import { InMemoryCache } from '@apollo/client';
import { print } from '@apollo/client/utilities';
import { runnerImport } from 'vite';
import { ROOT } from '../machine/run.js';

/**
 * The server serves no hidden folders.
 * @returns {import('vite').Plugin}
 */
export function pageOperations() {
  return {
    name: 'page-operations',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle() {
      /** @type {{ module: Record<string, import('graphql').DocumentNode> }} */
      const { module } = await runnerImport(join(ROOT, 'client/graphql/generated.ts'));
      const source = JSON.stringify(textsOf(Object.values(module)), undefined, 2);
      this.emitFile({ type: 'asset', fileName: '.vite/operations.json', source });
    },
  };
}

/** @param {import('graphql').DocumentNode[]} documents */
function textsOf(documents) {
  const cache = new InMemoryCache();
  const operations = documents.filter(({ definitions: [first] }) => first?.kind === 'OperationDefinition');
  return operations.map((document) => print(cache.transformDocument(document)));
}
