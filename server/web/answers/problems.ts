import type { IncomingHttpHeaders } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { GqlContextType } from '@nestjs/graphql';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { logFailure, RETRY_AFTER, UNAVAILABLE } from '../../database/errors.js';
import { pathOf, prefersHtml } from '../requests/request.js';
import { nothingHerePage, PLAIN_PAGE_POLICY, sendHtml } from './plain-page.js';
import { Env } from '../../settings/env.js';
import { RefusalLog } from './refusal-log.js';
import { AUDITED, Refusal, refusalOf, unexpectedSentence } from './refusals.js';

export const GRAPHQL_PATH = '/graphql';

const AT_GRAPHQL = new RegExp(`^${GRAPHQL_PATH}/?$`, 'i');
const GRAPHQL_TYPES = ['application/json', 'application/graphql-response+json'];

/** The API answers JSON, also to a browser. */
const API = /^\/api(\/|$)/;

/** The methods of each route of Fastify, which itself answers 404 to a wrong one. */
@Injectable()
export class Routes {
  private readonly routes: { readonly isAt: (path: string) => boolean; readonly methods: readonly string[] }[] = [];

  constructor({ httpAdapter }: HttpAdapterHost) {
    httpAdapter.getInstance<FastifyInstance>().addHook('onRoute', ({ url, method, config }) => {
      const pattern = patternOf(url);
      const isAt = (path: string) => (config?.file ? isSpelled(path, url) : pattern.test(path));
      // Nest's driver of Apollo takes all methods; `graphql-route.ts` refuses the others.
      this.routes.push({ isAt, methods: url === GRAPHQL_PATH ? ['GET', 'POST'] : [method].flat() });
    });
  }

  /** @returns undefined when the method is right and a handler did not find what the request names */
  wrongMethod(method: string, path: string): Refusal | undefined {
    const methods = this.routes.filter(({ isAt }) => isAt(path)).flatMap((route) => route.methods);
    const allowed = [...new Set(methods)].sort();
    return allowed.length > 0 && !allowed.includes(method) ? wrongMethod(allowed) : undefined;
  }
}

export const wrongMethod = (allow: readonly string[]) =>
  new Refusal('method_not_allowed', `This address answers ${allow.join(', ')} only.`, { allow });

/** @param url a path of Fastify: a parameter ends at the next dot, dash or slash */
function patternOf(url: string): RegExp {
  const source = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^./\\-]+/g, '[^/]+');
  return new RegExp(`^${source}/?$`, 'i');
}

/** Whether a path is that of a file, in its own spelling. @param url of its route, whose last slash may be missing */
export function isSpelled(path: string, url: string): boolean {
  const decoded = decodeURIComponent(path);
  return decoded === url || `${decoded}/` === url || (url.endsWith('/*') && decoded.startsWith(url.slice(0, -1)));
}

/** What a refusal says in REST, also to a refused upgrade. */
export const bodyOf = ({ message: error, code }: Refusal) => ({ error, code });

/** The header fields of a refusal. */
export function headersOf(refusal: Refusal, { authorization }: IncomingHttpHeaders): Record<string, string> {
  const { code, more } = refusal;
  const status = refusal.getStatus();
  // What a client is told about its token (RFC 6750, section 3): a request without one gets no error.
  const error = code === 'insufficient_scope' ? code : 'invalid_token';
  return {
    'Cache-Control': 'no-store',
    ...(more.allow && { Allow: more.allow.join(', ') }),
    ...((status === 401 || code === 'insufficient_scope') && {
      'WWW-Authenticate': authorization ? `Bearer error="${error}"` : 'Bearer',
    }),
    ...(status === 429 && { 'Retry-After': String(more.retryAfter ?? 60) }),
    ...(status === 503 && { 'Retry-After': String(more.retryAfter ?? RETRY_AFTER) }),
    ...(more.closes && { Connection: 'close' }),
  };
}

/**
 * Answers every error as JSON, but those of a GraphQL operation (graphql/errors.ts): an expected one with its own sentence, any
 * other with a general one and an id that finds it in the log. A browser at an unknown address gets a page.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(
    private readonly env: Env,
    private readonly refusals: RefusalLog,
    private readonly routes: Routes,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType<GqlContextType>() === 'graphql') throw thrown;
    const [request, reply] = host.getArgs<[FastifyRequest, FastifyReply]>();
    if (reply.raw.headersSent || request.raw.errored) return void reply.hijack().raw.destroy();
    const { method, context, headers } = request;
    const path = pathOf(request.raw);
    const expected = refusalOf(thrown);
    const is404 = expected?.code === 'not_found';
    const refusal =
      (is404 && this.routes.wrongMethod(method, path)) || (expected ?? this.unexpected(thrown, context.id));
    const [status, code] = [refusal.getStatus(), refusal.code];
    // A page has fetched the answer of a POST, so a redirect would not show.
    const page = method !== 'POST' && refusal.more.toPage?.(request);
    if (page) return void reply.redirect(this.env.publicOrigin + page, 302);
    if (AUDITED.has(status)) this.refusals.note({ event: 'refused', status, code }, context);
    // Fastify closes it after a body that it refuses. A client that still sends it would lose the answer.
    if (reply.hasHeader('Connection')) reply.removeHeader('Connection');
    reply.headers(headersOf(refusal, headers)).code(status);
    if (status === 404 && !API.test(path) && prefersHtml(request)) {
      void sendHtml(reply.header('Content-Security-Policy', PLAIN_PAGE_POLICY), nothingHerePage());
    } else if (AT_GRAPHQL.test(path)) {
      const type = new Negotiator(request).mediaType(GRAPHQL_TYPES) ?? 'application/json';
      const extensions = { code: code.toUpperCase(), requestId: context.id };
      void reply.type(`${type}; charset=utf-8`).send({ errors: [{ message: refusal.message, extensions }] });
    } else {
      void reply.type('application/json; charset=utf-8').send(bodyOf(refusal));
    }
  }

  private unexpected(error: unknown, id: string): Refusal {
    if (logFailure(this.logger, error, { id })) return new Refusal('service_unavailable', UNAVAILABLE);
    return new Refusal('unexpected', unexpectedSentence(id));
  }
}
