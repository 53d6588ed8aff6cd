import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, preHandlerHookHandler } from 'fastify';
import { GRAPHQL_PATH, wrongMethod } from '../web/answers/problems.js';
import { Refusal } from '../web/answers/refusals.js';
import { NOT_JSON } from '../web/input.js';
import { prefersHtml } from '../web/requests/request.js';

/** What our API promises at its address beside Apollo's own answers, as a hook of the route of Nest's driver. */
@Injectable()
export class GraphQLRoute {
  constructor({ httpAdapter }: HttpAdapterHost) {
    httpAdapter.getInstance<FastifyInstance>().addHook('onRoute', (route) => {
      if (route.url === GRAPHQL_PATH) route.preHandler = check;
    });
  }
}

const check: preHandlerHookHandler = (request, reply, done) => {
  // The driver's route takes OPTIONS, and Fastify adds HEAD.
  if (request.method !== 'GET' && request.method !== 'POST') throw wrongMethod(['GET', 'POST']);
  // The driver builds a URL from the Host header, and would throw.
  if (!URL.canParse(`http://${request.hostname}`)) {
    throw new Refusal('bad_request', 'The Host header must be the name of a host.');
  }
  // Apollo would answer 400.
  if (request.body === NOT_JSON) throw new Refusal('unsupported_media_type');
  // A browser that opens the address wants to read it. Programs ask for JSON and get the API.
  const { query } = request.query as { query?: unknown };
  if (request.method === 'GET' && !query && prefersHtml(request)) {
    return void reply.header('Vary', 'Accept').redirect('/playground/');
  }
  done();
};
