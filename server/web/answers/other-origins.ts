import type { Env } from '../../settings/env.js';
import type { Middleware } from '../middleware-chain.js';

/** The headers that pages of `CORS_ORIGINS` may send: never the one that the session endpoints require. */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  // GraphQL clients send these to name themselves and their operations, and to continue traces.
  'apollo-require-preflight',
  'apollographql-client-name',
  'apollographql-client-version',
  'traceparent',
  'x-apollo-operation-name',
].join(',');

/** Lets pages of `CORS_ORIGINS` use the API. Never with cookies. */
export function otherOrigins({ corsOrigins }: Env): Middleware {
  if (corsOrigins.length === 0) return (_request, _response, next) => next();
  return (request, response, next) => {
    const { origin } = request.headers;
    response.setHeader('Vary', 'Origin');
    if (origin !== undefined && corsOrigins.includes(origin)) response.setHeader('Access-Control-Allow-Origin', origin);
    if (request.method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Methods', 'GET,POST');
      response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
      response.setHeader('Access-Control-Max-Age', '600');
    }
    response.setHeader(
      'Access-Control-Expose-Headers',
      'ETag,Link,RateLimit,RateLimit-Policy,Retry-After,X-Request-Id',
    );
    next();
  };
}

/** Ends a preflight after the request limit, because a preflight counts as a request. */
export const answerPreflight: Middleware = (request, response, next) => {
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) response.writeHead(204).end();
  else next();
};
