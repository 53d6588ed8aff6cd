import { parse } from 'node:querystring';
import { NotFoundException } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyServerOptions } from 'fastify';
import { Env } from '../settings/env.js';
import { trustOf } from './requests/client-address.js';
import { FairShare } from './requests/fair-share.js';
import { HeldBytes } from './requests/held-bytes.js';
import { leaveBodiesUnread, parseBody, readBody } from './requests/json-body.js';
import type { MiddlewareChain } from './middleware-chain.js';
import { contextOf } from './requests/request-context.js';

/** Longer than any address that Node accepts. */
const MAX_PARAMETER = 20_000;

/** Fastify behind the middleware. Every request passes the chain first. */
export function createRouter(env: Env, chain: MiddlewareChain): FastifyAdapter {
  const options: FastifyServerOptions & { skipMiddie: true } = {
    serverFactory: (handler) => chain.serve(handler),
    trustProxy: trustOf(env.trustProxy),
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: MAX_PARAMETER,
      querystringParser: parse,
    },
    // While the server stops, it still answers requests that have begun.
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      chain.fail(request.raw, reply.raw, new NotFoundException());
    },
    // All middleware is in the chain.
    skipMiddie: true,
  };
  const adapter = new FastifyAdapter(options);
  // Node's own answer to an unreadable request is shorter, and closes the connection.
  adapter.getInstance().server.removeAllListeners('clientError');
  return adapter;
}

/** The work between the middleware and the guards. */
export function useHooks(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', ({ raw, routeOptions: { url } }, _reply, done) => {
    if (url) contextOf(raw).route = url;
    done();
  });
  leaveBodiesUnread(fastify);
  const share = new FairShare(app.get(Env), app.get(HeldBytes).requests);
  fastify.addHook('preHandler', ({ raw }, reply, done) => share.admit(raw, reply.raw, () => done()));
  fastify.addHook('preHandler', readBody);
  fastify.addHook('preHandler', ({ raw }, reply, done) => share.enter(raw, reply.raw, () => done()));
  fastify.addHook('preHandler', (request, _reply, done) => {
    parseBody(request);
    done();
  });
  fastify.addHook('onSend', ({ raw }, _reply, answer, done) => {
    share.leave(raw, answer);
    done();
  });
}
