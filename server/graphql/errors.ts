import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { currentWork } from '../base/current-work.js';
import { logFailure, UNAVAILABLE } from '../database/errors.js';
import { graphqlCodeOf, refusalOf, unexpectedSentence } from '../web/answers/refusals.js';

const logger = new Logger('GraphQL');

/** Errors of the document, its operation and its variables. */
const DOCUMENT_ERRORS = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
]);

/** Errors in the request itself. Their messages repeat only the query, so clients may see them. */
const REQUEST_ERRORS = new Set([...DOCUMENT_ERRORS, 'BAD_REQUEST', 'PERSISTED_QUERY_NOT_FOUND']);

/** Whether HTTP has carried the request well, and GraphQL alone refuses it. */
export const areOfDocument = (codes: ReadonlySet<string>): boolean =>
  [...codes].every((code) => DOCUMENT_ERRORS.has(code));

export const asRefusal = (message: string, code = 'GRAPHQL_VALIDATION_FAILED') =>
  new GraphQLError(message, { extensions: { code, http: { status: 400 } } });

/**
 * Formats every error of GraphQL, also over sockets. Clients hear nothing of an unexpected one but a sentence and an id that finds
 * the log entry.
 */
export function safeError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const { locations, path } = formatted;
  const requestId = currentWork.getStore()?.id;
  const answer = (message: string, extensions: Record<string, string | number>) => ({
    message,
    // A document that is known has no locations. The path says enough.
    locations: path ? undefined : locations,
    path,
    extensions: { ...extensions, requestId },
  });
  const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  const refusal = refusalOf(cause);
  if (refusal && refusal.getStatus() < 500) {
    const { message, more } = refusal;
    return answer(message, { code: graphqlCodeOf(refusal), ...(more.retryAfter && { retryAfter: more.retryAfter }) });
  }
  const code = String(formatted.extensions?.code);
  if (REQUEST_ERRORS.has(code)) return answer(formatted.message, { code });
  // Apollo sets no code for some client errors, such as a wrong hash, only a 4xx status.
  const { http } = (cause instanceof GraphQLError ? cause.extensions : {}) as { http?: { status?: number } };
  if (http?.status && http.status < 500) return answer(formatted.message, { code: 'BAD_REQUEST' });

  const id = requestId ?? randomUUID();
  if (logFailure(logger, cause, { id, path: path?.join('.') }))
    return answer(UNAVAILABLE, { code: 'SERVICE_UNAVAILABLE' });
  return answer(unexpectedSentence(id), { code: 'INTERNAL_SERVER_ERROR', id });
}
