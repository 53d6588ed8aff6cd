import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Admission } from '../../limits/admission.js';
import { allowanceSpent } from '../answers/refusals.js';
import type { Leave } from '../../limits/places.js';
import { answerProblem } from '../answers/problems.js';
import { requestsRefused } from '../../limits/refused.js';
import { contextOf, parseBody, pathOf, readBodies } from './request.js';

/** A health check must not wait behind other requests of its address. */
const HEALTH = /^\/health\/(live|ready)\/?$/i;
/** A sign-in waits for its provider, and an export for its reader, perhaps for long. Both have limits of their own. */
const MAY_LAST = /^\/(auth\/\w+\/callback|api\/account\/export)\/?$/i;

/** A request gets a place, then its body is read, then it waits for its turn, and then the body is parsed. */
export function useAdmission(fastify: FastifyInstance, admission: Admission): void {
  const turns = new WeakMap<IncomingMessage, Leave>();
  fastify.addHook('onRequest', ({ raw }, reply, done) => {
    if (HEALTH.test(pathOf(raw))) return done();
    const leave = admission.enter(contextOf(raw).address);
    if (typeof leave === 'string') return refuse(raw, reply.raw);
    reply.raw.once('close', leave);
    done();
  });
  // A slow sender does not take the turn of others.
  readBodies(fastify);
  fastify.addHook('preHandler', ({ raw }, reply, done) => {
    const path = pathOf(raw);
    if (HEALTH.test(path) || MAY_LAST.test(path)) return done();
    admission.takeTurn(contextOf(raw).address, (leave) => {
      // The client disconnected while it waited.
      if (reply.raw.destroyed || raw.socket.destroyed) return leave();
      turns.set(raw, leave);
      reply.raw.once('close', leave);
      done();
    });
  });
  fastify.addHook('preHandler', (request, _reply, done) => {
    parseBody(request);
    done();
  });
  // The answer is there. A slow reader keeps no turn.
  fastify.addHook('onSend', ({ raw }, _reply, _answer, done) => {
    turns.get(raw)?.();
    done();
  });
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  requestsRefused.publish({ event: 'refused', status: 429, code: 'too_many_waiting' });
  const refusal = allowanceSpent('from this address at once', 1);
  response.setHeader('Retry-After', '1');
  answerProblem(request, response, refusal);
}
