import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { GqlContextType } from '@nestjs/graphql';
import type { Response } from 'express';
import { RETRY_AFTER, unavailability, UNAVAILABLE } from '../database/unavailable.js';

/** The form of every refusal outside GraphQL: a sentence for people and, where programs need it, a code. */
interface Problem {
  readonly error: string;
  readonly code?: string;
}

/** Answers every error as JSON: the expected with their own sentence, of all others one sentence and an id for the log. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(error: unknown, host: ArgumentsHost): void {
    // GraphQL has its own form for errors: see graphql/errors.ts.
    if (host.getType<GqlContextType>() === 'graphql') throw error;

    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, problem } = this.describe(error);
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (status === 429 && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', '60');
    if (status === 503) response.setHeader('Retry-After', RETRY_AFTER);
    response.setHeader('Cache-Control', 'no-store');
    response.status(status).json(problem);
  }

  private describe(error: unknown): { status: number; problem: Problem } {
    if (error instanceof HttpException && (error.getStatus() < 500 || error.getStatus() === 503)) {
      return { status: error.getStatus(), problem: problemOf(error) };
    }
    const reason = unavailability(error);
    if (reason) {
      this.logger.warn({ event: 'database_unavailable', reason });
      return { status: 503, problem: { error: UNAVAILABLE, code: 'service_unavailable' } };
    }
    const id = randomUUID();
    this.logger.error({ event: 'unexpected_error', id }, error instanceof Error ? error.stack : String(error));
    const problem = {
      error: `Something went wrong on our side. If this keeps happening, please quote this id: ${id}`,
      code: 'unexpected',
    };
    return { status: 500, problem };
  }
}

function problemOf(exception: HttpException): Problem {
  if (exception.getStatus() === 404) return { error: 'There is nothing at this address.' };
  const body = exception.getResponse();
  if (typeof body === 'object' && 'error' in body && 'code' in body) return body as Problem;
  return { error: exception.message };
}
