import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasCurrent } from './answers.js';

/** A body that is the same for everybody, with its entity tag. */
export interface PublicAnswer {
  readonly body: string;
  readonly etag: string;
}

export function publicAnswer(value: unknown): PublicAnswer {
  const body = JSON.stringify(value);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

/** Sends the body, or 304 to a client that has it. */
export function sendPublic(request: FastifyRequest, reply: FastifyReply, { body, etag }: PublicAnswer): void {
  void reply.header('ETag', etag);
  if (hasCurrent(request, etag)) void reply.code(304).send();
  else void reply.type('application/json; charset=utf-8').send(body);
}
