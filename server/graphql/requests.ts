import type { IncomingMessage } from 'node:http';
import { NotFoundException } from '@nestjs/common';
import type { Env } from '../settings/env.js';
import { pathOf } from '../web/answers/answers.js';
import type { Middleware } from '../web/middleware-chain.js';
import { WrongMethod } from '../web/answers/problems.js';

export const GRAPHQL_PATH = '/graphql';

/** The media type of GraphQL over HTTP. Clients send it in Accept; a link, an image or a form does not. */
const GRAPHQL_RESPONSE = 'application/graphql-response+json';

const PREFLIGHT = 'apollo-require-preflight';

/** Cross-origin requests with one of these headers need a preflight, which the server denies. */
export const PREFLIGHT_HEADERS = [PREFLIGHT, 'x-apollo-operation-name', 'authorization'];

/** Checks a GraphQL request before the server reads its body. */
export function graphqlRequests(env: Env): Middleware {
  const origins: readonly (string | undefined)[] = [undefined, env.publicOrigin, ...env.corsOrigins];
  return (request, _response, next) => {
    const path = pathOf(request);
    if (!/^\/graphql(\/|$)/i.test(path)) return next();
    if (!/^\/graphql\/?$/i.test(path)) return next(new NotFoundException());
    if (!['GET', 'POST', 'OPTIONS'].includes(request.method ?? '')) return next(new WrongMethod(['GET', 'POST']));
    // Apollo Server cannot check the origin itself, so this header tells it that the check has passed.
    if (request.method === 'GET' && isFromClient(request, origins)) request.headers[PREFLIGHT] = 'not needed';
    next();
  };
}

/**
 * Clients such as urql send queries by GET without a custom header. Allow them from programs, from our own pages and from the
 * origins that the operator lists. A page cannot forge the headers that are checked here.
 */
function isFromClient({ headers }: IncomingMessage, origins: readonly (string | undefined)[]): boolean {
  return (
    headers.accept?.includes(GRAPHQL_RESPONSE) === true &&
    origins.includes(headers.origin) &&
    [undefined, 'cors', 'same-origin'].includes(headers['sec-fetch-mode'])
  );
}
