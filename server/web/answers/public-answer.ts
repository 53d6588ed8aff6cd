import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasCurrent } from './answers.js';

/** A body that is the same for everybody, with its entity tag and the header field Link. */
export interface PublicAnswer {
  readonly body: string;
  readonly etag: string;
  readonly link: string | undefined;
}

/** @param link from `linkToNext`, where a page follows */
export function publicAnswer(value: unknown, link?: string): PublicAnswer {
  const body = JSON.stringify(value);
  // Two weeks can have equal pages with different links.
  const hash = createHash('sha256')
    .update(body)
    .update(link ?? '');
  return { body, etag: `"${hash.digest('base64url')}"`, link };
}

/** Sends the body, or 304 to a client that has it. */
export function sendPublic(request: FastifyRequest, reply: FastifyReply, { body, etag, link }: PublicAnswer): void {
  if (link) void reply.header('Link', link);
  void reply.header('ETag', etag);
  if (hasCurrent(request, etag)) void reply.code(304).send();
  else void reply.type('application/json; charset=utf-8').send(body);
}

/** The value of the header field Link, with the address of the next page. */
export function linkToNext(address: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return `<${address}?${parameters.toString()}>; rel="next"`;
}
