import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.js';
import type { ClientAddress } from './client-address.js';
import type { Middleware } from './middleware-chain.js';
import { requestsBegun } from './request-events.js';

/** The context of the current request. */
export interface RequestContext {
  /** Appears in every log entry of the request, in `X-Request-Id` and in error messages. */
  readonly id: string;
  readonly address: string;
  /** The player of the request's valid access token. */
  playerId?: string;
  /** The template of the address, such as `/avatar/:playerId.svg`, or `page` or `file`. Undefined for an unknown address. */
  route?: string;
  /** The root field of the GraphQL operation. */
  operation?: string;
  /** The codes of the GraphQL errors in the answer. */
  errorCodes?: () => readonly string[];
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The current request, if any. A socket or a timer has none. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}

/** The address of the current request. */
export function currentAddress(): string {
  return storage.getStore()?.address ?? '';
}

/** Names the route of the current request for logs, metrics and traces. */
export function nameRoute(route: string): void {
  const context = currentRequest();
  if (context) context.route = route;
}

/** The id for an error message: the request's, otherwise a new one. */
export function idToQuote(): string {
  return currentRequest()?.id ?? randomUUID();
}

/**
 * Gives every request an id, and every answer the time of our clock, by which the page corrects its own. An id from the
 * client is ignored, because a forged one would mislead a search in the log.
 */
export function requestContext(clock: Clock, addresses: ClientAddress): Middleware {
  return (request, response, next) =>
    inRequestContext(addresses.of(request), () => {
      response.setHeader('X-Request-Id', idToQuote());
      response.setHeader('Date', clock.now().toUTCString());
      requestsBegun.publish({ context: currentRequest()!, headers: request.headers });
      next();
    });
}

/** Runs work as a request of this address, with a new id. */
export function inRequestContext<T>(address: string, work: () => T): T {
  return storage.run({ id: randomUUID(), address }, work);
}
