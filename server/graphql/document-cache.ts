import { Injectable } from '@nestjs/common';
import type { DocumentNode } from 'graphql';
import { LruCache } from '../base/lru-cache.js';

/** Our pages send a dozen documents; each can take 70 kB. */
const DOCUMENTS = 100;

/**
 * The newest valid documents of requests, by their text. Each is within the limits of `limits.ts`.
 */
@Injectable()
export class DocumentCache extends LruCache<DocumentNode> {
  constructor() {
    super(DOCUMENTS);
  }
}
