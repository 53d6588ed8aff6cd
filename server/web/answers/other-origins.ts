import type { IncomingMessage } from 'node:http';
import type { Env } from '../../settings/env.js';
import { type Middleware, pathOf } from './answers.js';

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

/** Whether everybody may read it without a token. */
function isPublicRead(request: IncomingMessage): boolean {
  const { method, headers } = request;
  const asked = method === 'OPTIONS' ? headers['access-control-request-method'] : method;
  return (asked === 'GET' || asked === 'HEAD') && /^\/api\/leaderboard\/?$/i.test(pathOf(request));
}

/** Lets pages of `CORS_ORIGINS` use the API, and all pages read what is public. Never with cookies. */
export function otherOrigins({ corsOrigins }: Env): Middleware {
  return (request, response, next) => {
    const { origin = '' } = request.headers;
    const isListed = corsOrigins.includes(origin);
    if (corsOrigins.length > 0) response.setHeader('Vary', 'Origin');
    if (!isListed && !isPublicRead(request)) return next();
    response.setHeader('Access-Control-Allow-Origin', isListed ? origin : '*');
    if (request.method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Methods', isListed ? 'GET,POST' : 'GET');
      response.setHeader('Access-Control-Allow-Headers', isListed ? ALLOWED_HEADERS : 'If-None-Match');
      response.setHeader('Access-Control-Max-Age', '600');
    }
    response.setHeader('Access-Control-Expose-Headers', 'ETag,RateLimit,RateLimit-Policy,Retry-After,X-Request-Id');
    next();
  };
}

/** Ends a preflight after the request limit, because a preflight counts as a request. */
export const answerPreflight: Middleware = (request, response, next) => {
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) response.writeHead(204).end();
  else next();
};
