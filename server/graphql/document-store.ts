import type { ApolloDriverConfig } from '@nestjs/apollo';
import { type DocumentNode, parse } from 'graphql';
import { LruCache } from '../base/lru-cache.js';

/** Our pages send about forty documents; each can take 70 kB. */
const DOCUMENTS = 100;

const documents = new LruCache<DocumentNode>(DOCUMENTS);

/**
 * The valid documents. Apollo's own store counts the bytes of a document as JSON, and keeps its locations, which hold every
 * token and comment of the text: a text of 16 kB takes a megabyte.
 */
export const documentStore: NonNullable<ApolloDriverConfig['documentStore']> = {
  get: (key) => Promise.resolve(documents.get(key)),
  set: (key, { loc }) => {
    documents.set(key, parse(loc!.source, { noLocation: true }));
    return Promise.resolve();
  },
  delete: () => Promise.resolve(),
};
