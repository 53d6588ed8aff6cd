import { randomUUID } from 'node:crypto';
import { HttpException, Logger } from '@nestjs/common';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { unavailability, UNAVAILABLE } from '../database/unavailable.js';

const logger = new Logger('GraphQL');

/** Errors in the request itself: the message helps the sender and comes from the query alone. */
const REQUEST_ERRORS = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

const CODES: Record<number, string> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'TOO_MANY_REQUESTS',
};

/** What a client may see of an error: the expected ones as they are, of all others one sentence and an id for the log. */
export function safeError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const { message, locations, path } = formatted;
  const cause = error instanceof GraphQLError ? error.originalError : error;
  if (cause instanceof HttpException && cause.getStatus() < 500) {
    const code = CODES[cause.getStatus()] ?? 'BAD_USER_INPUT';
    return { message: cause.message, locations, path, extensions: { code } };
  }
  const code = String(formatted.extensions?.code);
  if (REQUEST_ERRORS.has(code)) return { message, locations, path, extensions: { code } };

  const reason = unavailability(cause);
  if (reason) {
    logger.warn({ event: 'database_unavailable', path: path?.join('.'), reason });
    return { message: UNAVAILABLE, locations, path, extensions: { code: 'SERVICE_UNAVAILABLE' } };
  }
  const id = randomUUID();
  logger.error(
    { event: 'unexpected_error', id, path: path?.join('.') },
    cause instanceof Error ? cause.stack : String(cause),
  );
  return {
    message: `Something went wrong on our side. If this keeps happening, please quote this id: ${id}`,
    locations,
    path,
    extensions: { code: 'INTERNAL_SERVER_ERROR', id },
  };
}
