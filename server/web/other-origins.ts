import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { RequestHandler } from 'express';
import type { Env } from '../env.js';

/**
 * The headers that pages of `CORS_ORIGINS` may send and read. Never cookies, and never the header that the session
 * endpoints require.
 */
export function otherOrigins({ corsOrigins }: Env): CorsOptions {
  return {
    origin: corsOrigins.length > 0 && [...corsOrigins],
    methods: ['GET', 'POST'],
    allowedHeaders: [
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
    ],
    exposedHeaders: ['ETag', 'Retry-After', 'X-Request-Id'],
    maxAge: 600,
    // `answerPreflight` answers after the request limit, because a preflight counts as a request.
    preflightContinue: true,
  };
}

/** Ends a preflight, whose headers the CORS middleware has set. */
export const answerPreflight: RequestHandler = (request, response, next) => {
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) response.status(204).end();
  else next();
};
