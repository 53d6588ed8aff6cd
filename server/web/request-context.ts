import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Clock } from '../clock.js';

/** What is known of the request that is being answered. */
export interface RequestContext {
  /** Stands in the log beside all that is written for this request, in `X-Request-Id` and in the sentences that quote an id. */
  readonly id: string;
  readonly address: string;
  /** Whose valid access token it carries. */
  playerId?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The request that is being answered, if any: a socket or a timer has none. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}

/** An id to quote in an error: that of the request, else a new one. */
export function idToQuote(): string {
  return currentRequest()?.id ?? randomUUID();
}

/**
 * Gives every request an id of ours, and every answer the time of our clock, by which the page corrects the computer's.
 * An id that comes with it is not taken: whoever sends it could lead a search astray.
 */
export function requestContext(clock: Clock): RequestHandler {
  return (request, response, next) =>
    inRequestContext(request.ip ?? '', () => {
      response.setHeader('X-Request-Id', idToQuote());
      response.setHeader('Date', clock.now().toUTCString());
      next();
    });
}

/** Does the work of a request from this address, under an id of its own. */
export function inRequestContext<T>(address: string, work: () => T): T {
  return storage.run({ id: randomUUID(), address }, work);
}
