import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { GqlContextType } from '@nestjs/graphql';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { logFailure, RETRY_AFTER, UNAVAILABLE } from '../../database/errors.js';
import Negotiator from 'negotiator';
import { answerHtml, answerJson, prefersHtml } from './answers.js';
import { contextOf, pathOf, type RequestContext } from '../requests/request.js';
import { nothingHerePage, PLAIN_PAGE_POLICY } from './plain-page.js';
import { RefusalLog } from './refusal-log.js';
import { AUDITED, type Code, codeOf, Refusal, sentenceOf, unexpectedSentence } from './refusals.js';

export const GRAPHQL_PATH = '/graphql';

const AT_GRAPHQL = new RegExp(`^${GRAPHQL_PATH}/?$`, 'i');
const GRAPHQL_TYPES = ['application/json', 'application/graphql-response+json'];

/** The API answers JSON, also to a browser. */
const API = /^\/api(\/|$)/;

/** The methods of each route of Fastify. */
@Injectable()
export class Routes {
  private readonly routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];

  constructor({ httpAdapter }: HttpAdapterHost) {
    httpAdapter.getInstance<FastifyInstance>().addHook('onRoute', ({ url, method }) => {
      // Nest's driver of Apollo takes all methods; `graphql-route.ts` refuses the others.
      const methods = url === GRAPHQL_PATH ? ['GET', 'POST'] : [method].flat();
      this.routes.push({ pattern: patternOf(url), methods });
    });
  }

  /**
   * Finds out whether a 404 is a wrong method.
   * @returns undefined when the method is right and a handler did not find what the request names
   */
  wrongMethod(method: string | undefined, path: string): Refusal | undefined {
    const methods = this.routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    const allowed = [...new Set(methods)].sort();
    return allowed.length > 0 && !allowed.includes(method ?? '') ? wrongMethod(allowed) : undefined;
  }
}

export const wrongMethod = (allow: readonly string[]) =>
  new Refusal('method_not_allowed', `This address answers ${allow.join(', ')} only.`, { allow });

/** @param url a path of Fastify: a parameter ends at the next dot, dash or slash */
function patternOf(url: string): RegExp {
  const source = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^./\\-]+/g, '[^/]+');
  return new RegExp(`^${source}/?$`, 'i');
}

/**
 * Answers every error as JSON: an expected one with its own message, any other with a general message and an id that finds
 * it in the log. A browser at an unknown address gets a page.
 */
@Injectable()
export class Problems {
  private readonly logger = new Logger('Http');

  constructor(
    private readonly refusals: RefusalLog,
    private readonly routes: Routes,
  ) {}

  answer(request: IncomingMessage, response: ServerResponse, thrown: unknown): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const path = pathOf(request);
    const is404 = thrown instanceof HttpException && thrown.getStatus() === 404;
    const error = (is404 && this.routes.wrongMethod(request.method, path)) || thrown;
    const context = contextOf(request);
    const answer = this.toAnswer(error, context);
    const [status, code] = [answer.getStatus(), codeOf(answer)];
    if (AUDITED.has(status)) this.refusals.note({ event: 'refused', status, code }, context);
    const { allow, retryAfter = 60 } = answer instanceof Refusal ? answer.more : {};
    if (allow) response.setHeader('Allow', allow.join(', '));
    if (status === 401 || code === 'insufficient_scope') {
      response.setHeader('WWW-Authenticate', challengeOf(request, code));
    }
    if (status === 429 && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', String(retryAfter));
    if (status === 503) response.setHeader('Retry-After', RETRY_AFTER);
    response.setHeader('Cache-Control', 'no-store');
    if (status === 404 && !API.test(path) && prefersHtml(request)) {
      response.setHeader('Content-Security-Policy', PLAIN_PAGE_POLICY);
      answerHtml(response, status, nothingHerePage());
    } else {
      answerProblem(request, response, answer);
    }
  }

  /** An expected error, or what stands for another one. */
  private toAnswer(error: unknown, { id }: RequestContext): HttpException {
    if (error instanceof HttpException && (error.getStatus() < 500 || error.getStatus() === 503)) return error;
    if (logFailure(this.logger, error, { id })) return new Refusal('service_unavailable', UNAVAILABLE);
    return new Refusal('unexpected', unexpectedSentence(id));
  }
}

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly problems: Problems) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    // GraphQL formats its own errors: see graphql/errors.ts.
    if (host.getType<GqlContextType>() === 'graphql') throw thrown;
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const { raw } = reply;
    // The reply has the headers of `@Header`, and repeats those of the response.
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined && value !== raw.getHeader(name) && !raw.headersSent) raw.setHeader(name, value);
    }
    reply.hijack();
    this.problems.answer(http.getRequest<FastifyRequest>().raw, raw, thrown);
  }
}

/** What a client is told about its token (RFC 6750, section 3): a request without one gets no error. */
function challengeOf({ headers }: IncomingMessage, code: Code): string {
  if (!headers.authorization) return 'Bearer';
  return `Bearer error="${code === 'insufficient_scope' ? code : 'invalid_token'}"`;
}

/** Answers an error in the shape that the clients of the address read: `errors` for GraphQL, otherwise `error`. */
function answerProblem(request: IncomingMessage, response: ServerResponse, exception: HttpException): void {
  const status = exception.getStatus();
  const code = codeOf(exception);
  const error = sentenceOf(exception);
  if (AT_GRAPHQL.test(pathOf(request))) {
    const extensions = { code: code.toUpperCase(), requestId: contextOf(request).id };
    const type = new Negotiator(request).mediaType(GRAPHQL_TYPES);
    answerJson(response, status, { errors: [{ message: error, extensions }] }, type);
  } else {
    answerJson(response, status, { error, code });
  }
}
