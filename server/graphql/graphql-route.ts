import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import { GRAPHQL_PATH, wrongMethod } from '../web/answers/problems.js';
import { Refusal } from '../web/answers/refusals.js';
import { jsonBodyOf } from '../web/body.js';
import { contextOf } from '../web/requests/request.js';

const METHODS: readonly string[] = ['GET', 'POST'];

/** What our API promises at its address beside Apollo's own answers, as hooks of the route of Nest's driver. */
@Injectable()
export class GraphQLRoute {
  constructor({ httpAdapter }: HttpAdapterHost) {
    httpAdapter.getInstance<FastifyInstance>().addHook('onRoute', (route) => {
      if (route.url === GRAPHQL_PATH) Object.assign(route, { preHandler: check, onSend: addRequestId });
    });
  }
}

function check(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  // The driver's route accepts every method.
  if (!METHODS.includes(request.method)) throw wrongMethod(METHODS);
  // The driver builds a URL from the Host header, and would throw.
  if (!URL.canParse(`http://${request.hostname}`)) {
    throw new Refusal('bad_request', 'The Host header must be the name of a host.');
  }
  // Apollo would answer 400 to another type than JSON.
  jsonBodyOf(request);
  reply.header('Cache-Control', 'no-store');
  done();
}

/** Apollo answers a request without an operation before it knows the request's context: see `quoteIdOf` for the others. */
function addRequestId(
  { raw }: FastifyRequest,
  { statusCode }: FastifyReply,
  answer: unknown,
  done: (error: null, answer: unknown) => void,
): void {
  if (statusCode < 400 || typeof answer !== 'string') return done(null, answer);
  const { errors, ...rest } = JSON.parse(answer) as { errors: readonly GraphQLFormattedError[] };
  const { id: requestId } = contextOf(raw);
  const named = errors.map((error) => ({ ...error, extensions: { ...error.extensions, requestId } }));
  done(null, `${JSON.stringify({ errors: named, ...rest })}\n`);
}
