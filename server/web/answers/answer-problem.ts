import type { IncomingMessage, ServerResponse } from 'node:http';
import Negotiator from 'negotiator';
import { contextOf } from '../requests/request-context.js';
import { answerJson, pathOf } from './answers.js';
import type { Problem } from './codes.js';

export const GRAPHQL_PATH = '/graphql';

const AT_GRAPHQL = new RegExp(`^${GRAPHQL_PATH}/?$`, 'i');
const GRAPHQL_TYPES = ['application/json', 'application/graphql-response+json'];

/** Addresses that are newer than RFC 9457. The others answer `application/json` to all who do not ask for its type. */
export const PROBLEM_JSON = /^\/api\/(challenges|games|me|players)(\/|$)/i;
const REST_TYPES = ['application/json', 'application/problem+json'];

/** Answers a problem in the shape that the clients of the address read: `errors` for GraphQL, otherwise `error`. */
export function answerProblem(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const { error, code, status } = problem;
  const path = pathOf(request);
  const negotiator = new Negotiator(request);
  if (AT_GRAPHQL.test(path)) {
    const extensions = { code: code.toUpperCase(), requestId: contextOf(request).id };
    answerJson(response, status, { errors: [{ message: error, extensions }] }, negotiator.mediaType(GRAPHQL_TYPES));
  } else {
    answerJson(response, status, problem, PROBLEM_JSON.test(path) ? REST_TYPES[1] : negotiator.mediaType(REST_TYPES));
  }
}
