import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { GqlContextType } from '@nestjs/graphql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problems } from './problems.js';

/** Answers what a guard or a handler throws. */
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
