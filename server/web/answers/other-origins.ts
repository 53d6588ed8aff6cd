import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Env } from '../../settings/env.js';
import { pathOf } from '../requests/request.js';

/** The headers that pages of `CORS_ORIGINS` may send: never the one that the session endpoints require. */
const ALLOWED_HEADERS =
  'Authorization,Content-Type,Idempotency-Key,If-None-Match,' +
  // GraphQL clients send these to name themselves and their operations, and to continue traces.
  'apollo-require-preflight,apollographql-client-name,apollographql-client-version,traceparent,x-apollo-operation-name';

const PUBLIC = /^\/(api\/leaderboard\/?|openapi\.json|schema\.graphql)$/i;

/** Whether everybody may read it without a token. */
function isPublicRead({ method, headers, raw }: FastifyRequest): boolean {
  const asked = method === 'OPTIONS' ? headers['access-control-request-method'] : method;
  return (asked === 'GET' || asked === 'HEAD') && PUBLIC.test(pathOf(raw));
}

/**
 * Lets pages of `CORS_ORIGINS` use the API, and all pages read what is public. Never with cookies. It is not @fastify/cors, which
 * gives all answers `Vary: Origin`, the export no headers because that writes to Node's response, and an unlisted origin's preflight
 * a 404.
 */
export function otherOrigins({ corsOrigins }: Env): onRequestHookHandler {
  return (request, { raw }, done) => {
    const { origin = '' } = request.headers;
    const isListed = corsOrigins.includes(origin);
    if (corsOrigins.length > 0) raw.setHeader('Vary', 'Origin');
    if (!isListed && !isPublicRead(request)) return done();
    raw.setHeader('Access-Control-Allow-Origin', isListed ? origin : '*');
    raw.setHeader('Access-Control-Expose-Headers', 'ETag,RateLimit,RateLimit-Policy,Retry-After,X-Request-Id');
    if (request.method !== 'OPTIONS') return done();
    raw.setHeader('Access-Control-Allow-Methods', isListed ? 'GET,POST' : 'GET');
    raw.setHeader('Access-Control-Allow-Headers', isListed ? ALLOWED_HEADERS : 'If-None-Match');
    raw.setHeader('Access-Control-Max-Age', '600');
    done();
  };
}

/** Ends a preflight behind the limits, because it counts as a request. */
export const answerPreflight: onRequestHookHandler = ({ method, headers }, reply, done) => {
  if (method === 'OPTIONS' && headers['access-control-request-method']) void reply.code(204).send();
  else done();
};
