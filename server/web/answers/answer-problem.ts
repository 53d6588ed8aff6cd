import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpException } from '@nestjs/common';
import Negotiator from 'negotiator';
import { contextOf } from '../requests/request-context.js';
import { answerJson, pathOf } from './answers.js';
import { CodedException, codeOf } from './codes.js';

export const GRAPHQL_PATH = '/graphql';

const AT_GRAPHQL = new RegExp(`^${GRAPHQL_PATH}/?$`, 'i');
const GRAPHQL_TYPES = ['application/json', 'application/graphql-response+json'];

/** Answers an error in the shape that the clients of the address read: `errors` for GraphQL, otherwise `error`. */
export function answerProblem(request: IncomingMessage, response: ServerResponse, exception: HttpException): void {
  const status = exception.getStatus();
  const code = codeOf(exception);
  // The framework's own sentence repeats the address.
  const isOwn = status !== 404 || exception instanceof CodedException;
  const error = isOwn ? exception.message : 'There is nothing at this address.';
  if (AT_GRAPHQL.test(pathOf(request))) {
    const extensions = { code: code.toUpperCase(), requestId: contextOf(request).id };
    const type = new Negotiator(request).mediaType(GRAPHQL_TYPES);
    answerJson(response, status, { errors: [{ message: error, extensions }] }, type);
  } else {
    answerJson(response, status, { error, code });
  }
}
