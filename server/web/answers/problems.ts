import type { IncomingHttpHeaders } from 'node:http';
import type { ArgumentsHost, ExceptionFilter, OnApplicationBootstrap } from '@nestjs/common';
import { Catch, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { GqlContextType } from '@nestjs/graphql';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import Negotiator from 'negotiator';
import { logFailure, RETRY_AFTER } from '../../database/errors.js';
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

/** Gives each address a route for all other methods, because Fastify answers 404 to them. */
@Injectable()
export class WrongMethods implements OnApplicationBootstrap {
  private readonly fastify: FastifyInstance;
  private readonly routes: RouteOptions[] = [];

  constructor({ httpAdapter }: HttpAdapterHost) {
    this.fastify = httpAdapter.getInstance<FastifyInstance>();
    this.fastify.addHook('onRoute', (route) => void this.routes.push(route));
  }

  onApplicationBootstrap(): void {
    for (const url of new Set(this.routes.map((route) => route.url))) {
      const routes = this.routes.filter((route) => route.url === url);
      const allow = [...new Set(routes.flatMap(({ method }) => method))].sort();
      const method = this.fastify.supportedMethods.filter((other) => !allow.includes(other));
      const config = { allow, file: routes[0]?.config?.file };
      const handler = () => {
        throw wrongMethod(allow);
      };
      if (method.length > 0) this.fastify.route({ url, method, config, handler });
    }
  }
}

export const wrongMethod = (allow: readonly string[]) =>
  new Refusal('method_not_allowed', `This address answers ${allow.join(', ')} only.`, { allow });

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
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType<GqlContextType>() === 'graphql') throw thrown;
    const [request, reply] = host.getArgs<[FastifyRequest, FastifyReply]>();
    if (reply.raw.headersSent || request.raw.errored) return void reply.hijack().raw.destroy();
    const { method, context, headers } = request;
    const path = pathOf(request.raw);
    const refusal = refusalOf(thrown) ?? this.unexpected(thrown, context.id);
    const [status, code] = [refusal.getStatus(), refusal.code];
    // A page has fetched the answer of a POST, so a redirect would not show.
    const page = method !== 'POST' && refusal.more.toPage?.(request);
    if (page) return void reply.redirect(this.env.publicOrigin + page, 302);
    if (AUDITED.has(status) || code === 'token_in_address')
      this.refusals.note({ event: 'refused', status, code }, context);
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
    if (logFailure(this.logger, error, { id })) return new Refusal('service_unavailable');
    return new Refusal('unexpected', unexpectedSentence(id));
  }
}
