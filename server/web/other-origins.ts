import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { RequestHandler } from 'express';
import type { Env } from '../env.js';

/** What pages of the listed origins may send and read. Never cookies, and nothing that the session's endpoints ask for. */
export function otherOrigins({ corsOrigins }: Env): CorsOptions {
  return {
    origin: corsOrigins.length > 0 && [...corsOrigins],
    methods: ['GET', 'POST'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-None-Match',
      // GraphQL clients name themselves and their operations so, and traces go on from the page to here.
      'apollo-require-preflight',
      'apollographql-client-name',
      'apollographql-client-version',
      'traceparent',
      'x-apollo-operation-name',
    ],
    exposedHeaders: ['ETag', 'Retry-After', 'X-Request-Id'],
    maxAge: 600,
    // The answer waits for the request limit: a preflight is a request like any other.
    preflightContinue: true,
  };
}

/** The headers above are what a preflight asks for. */
export const answerPreflight: RequestHandler = (request, response, next) => {
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) response.status(204).end();
  else next();
};
