import { Injectable } from '@nestjs/common';
import type { DocumentNode } from 'graphql';
import { LruCache } from '../base/lru-cache.js';

/** Our pages send a dozen documents; each can take a quarter of a megabyte. */
const DOCUMENTS = 100;

/**
 * The newest valid documents of requests and of sockets, by their text. Each is within the limits of `limits.ts`. Sockets that
 * send the same text share its document, and with it the executions.
 */
@Injectable()
export class DocumentCache extends LruCache<DocumentNode> {
  constructor() {
    super(DOCUMENTS);
  }
}
