import { NotFoundException } from '@nestjs/common';
import type { Request, RequestHandler } from 'express';
import type { Env } from '../env.js';
import { WrongMethod } from '../web/wrong-method.js';

export const GRAPHQL_PATH = '/graphql';

/** The media type of GraphQL over HTTP. Clients name it; nothing that a page loads by a mere link does. */
const GRAPHQL_RESPONSE = 'application/graphql-response+json';

const PREFLIGHT = 'apollo-require-preflight';

/** With one of these, a page elsewhere cannot send a request unasked: the browser asks us first, and we say no. */
export const PREFLIGHT_HEADERS = [PREFLIGHT, 'x-apollo-operation-name', 'authorization'];

/** What is asked of a request for GraphQL before its body is read or Apollo Server sees it. */
export function graphqlRequests(env: Env): RequestHandler {
  const origins: readonly (string | undefined)[] = [undefined, env.publicOrigin, ...env.corsOrigins];
  return (request, _response, next) => {
    if (!/^\/graphql(\/|$)/.test(request.path)) return next();
    if (!/^\/graphql\/?$/.test(request.path)) return next(new NotFoundException());
    if (!['GET', 'POST', 'OPTIONS'].includes(request.method)) return next(new WrongMethod(['GET', 'POST']));
    // Apollo Server cannot be told to look at where a request comes from, so it is told that somebody has.
    if (request.method === 'GET' && isFromClient(request, origins)) request.headers[PREFLIGHT] = 'not needed';
    next();
  };
}

/**
 * Clients such as urql send queries by GET without a header of their own. That is let through from where it may come:
 * a program, our own pages and those that the operator lists. Browsers say truthfully whose script asks, and that it is a
 * script and not a picture or a link.
 */
function isFromClient({ headers }: Request, origins: readonly (string | undefined)[]): boolean {
  return (
    headers.accept?.includes(GRAPHQL_RESPONSE) === true &&
    origins.includes(headers.origin) &&
    [undefined, 'cors', 'same-origin'].includes(headers['sec-fetch-mode'])
  );
}
