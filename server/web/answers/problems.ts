import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { GqlContextType } from '@nestjs/graphql';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { logFailure, RETRY_AFTER, UNAVAILABLE } from '../../database/errors.js';
import { contextOf, pathOf, prefersHtml } from '../requests/request.js';
import { nothingHerePage, PLAIN_PAGE_POLICY, sendHtml } from './plain-page.js';
import { RefusalLog } from './refusal-log.js';
import { AUDITED, codeOf, Refusal, sentenceOf, unexpectedSentence } from './refusals.js';

export const GRAPHQL_PATH = '/graphql';

const AT_GRAPHQL = new RegExp(`^${GRAPHQL_PATH}/?$`, 'i');
const GRAPHQL_TYPES = ['application/json', 'application/graphql-response+json'];

/** The API answers JSON, also to a browser. */
const API = /^\/api(\/|$)/;

/** The methods of each route of Fastify, which itself answers 404 to a wrong one. */
@Injectable()
export class Routes {
  private readonly routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];

  constructor({ httpAdapter }: HttpAdapterHost) {
    httpAdapter.getInstance<FastifyInstance>().addHook('onRoute', ({ url, method }) => {
      // @fastify/cors answers OPTIONS everywhere.
      if (url === '*') return;
      // Nest's driver of Apollo takes all methods; `graphql-route.ts` refuses the others.
      const methods = url === GRAPHQL_PATH ? ['GET', 'POST'] : [method].flat();
      this.routes.push({ pattern: patternOf(url), methods });
    });
  }

  /** @returns undefined when the method is right and a handler did not find what the request names */
  wrongMethod(method: string, path: string): Refusal | undefined {
    const methods = this.routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    const allowed = [...new Set(methods)].sort();
    return allowed.length > 0 && !allowed.includes(method) ? wrongMethod(allowed) : undefined;
  }
}

export const wrongMethod = (allow: readonly string[]) =>
  new Refusal('method_not_allowed', `This address answers ${allow.join(', ')} only.`, { allow });

/** @param url a path of Fastify: a parameter ends at the next dot, dash or slash, `*` takes the rest */
function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace('*', '.*')
    .replace(/:[^./\\-]+/g, '[^/]+');
  return new RegExp(`^${source}/?$`, 'i');
}

/**
 * Answers every error as JSON, but those of a GraphQL operation (graphql/errors.ts): an expected one with its own message, any
 * other with a general message and an id that finds it in the log. A browser at an unknown address gets a page.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(
    private readonly refusals: RefusalLog,
    private readonly routes: Routes,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType<GqlContextType>() === 'graphql') throw thrown;
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.raw.headersSent || request.raw.errored) {
      reply.hijack();
      reply.raw.destroy();
      return;
    }
    const path = pathOf(request.raw);
    const context = contextOf(request.raw);
    const is404 = thrown instanceof HttpException && thrown.getStatus() === 404;
    const error = this.toAnswer((is404 && this.routes.wrongMethod(request.method, path)) || thrown, context.id);
    const [status, code] = [error.getStatus(), codeOf(error)];
    if (AUDITED.has(status)) this.refusals.note({ event: 'refused', status, code }, context);
    const { allow, closes, retryAfter = 60 } = error instanceof Refusal ? error.more : {};
    if (allow) reply.header('Allow', allow.join(', '));
    if (status === 401 || code === 'insufficient_scope') reply.header('WWW-Authenticate', challengeOf(request, code));
    if (status === 429 && !reply.hasHeader('Retry-After')) reply.header('Retry-After', String(retryAfter));
    if (status === 503) reply.header('Retry-After', RETRY_AFTER);
    if (closes) reply.header('Connection', 'close');
    // Fastify closes it after a body that it refuses. A client that still sends it would lose the answer.
    else reply.removeHeader('Connection');
    reply.header('Cache-Control', 'no-store').code(status);
    if (status === 404 && !API.test(path) && prefersHtml(request)) {
      void sendHtml(reply.header('Content-Security-Policy', PLAIN_PAGE_POLICY), nothingHerePage());
    } else if (AT_GRAPHQL.test(path)) {
      const type = new Negotiator(request).mediaType(GRAPHQL_TYPES) ?? 'application/json';
      const extensions = { code: code.toUpperCase(), requestId: context.id };
      void reply.type(`${type}; charset=utf-8`).send({ errors: [{ message: sentenceOf(error), extensions }] });
    } else {
      void reply.type('application/json; charset=utf-8').send({ error: sentenceOf(error), code });
    }
  }

  /** An expected error, or what stands for another one. */
  private toAnswer(error: unknown, id: string): HttpException {
    if (error instanceof HttpException && (error.getStatus() < 500 || error.getStatus() === 503)) return error;
    if (logFailure(this.logger, error, { id })) return new Refusal('service_unavailable', UNAVAILABLE);
    return new Refusal('unexpected', unexpectedSentence(id));
  }
}

/** What a client is told about its token (RFC 6750, section 3): a request without one gets no error. */
function challengeOf({ headers }: FastifyRequest, code: string): string {
  if (!headers.authorization) return 'Bearer';
  return `Bearer error="${code === 'insufficient_scope' ? code : 'invalid_token'}"`;
}
