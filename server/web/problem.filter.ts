import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { GqlContextType } from '@nestjs/graphql';
import type { Request, Response } from 'express';
import { RETRY_AFTER, unavailability, UNAVAILABLE } from '../database/unavailable.js';
import { nothingHerePage, PLAIN_PAGE_POLICY } from './plain-page.js';
import { Refusals } from './refusals.js';
import { idToQuote } from './request-context.js';
import { WrongMethod, wrongMethod } from './wrong-method.js';

/** The body of every error outside GraphQL: a message and, if programs need it, a code. */
interface Problem {
  readonly error: string;
  readonly code?: string;
}

/** The API answers JSON, also to a browser. */
const API = /^\/api(\/|$)/;

/** The statuses that the audit trail records. */
const REFUSED: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * Answers every error as JSON: an expected one with its own message, any other with a general message and an id that finds
 * it in the log. A browser at an unknown address gets a page.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(private readonly refusals: Refusals) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    // GraphQL formats its own errors: see graphql/errors.ts.
    if (host.getType<GqlContextType>() === 'graphql') throw thrown;

    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const error = (thrown instanceof NotFoundException && wrongMethod(request)) || thrown;
    const { status, problem } = this.describe(error);
    if (REFUSED.has(status)) this.refusals.note({ event: 'refused', status, code: problem.code });
    if (error instanceof WrongMethod) response.setHeader('Allow', error.allowed.join(', '));
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (status === 429 && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', '60');
    if (status === 503) response.setHeader('Retry-After', RETRY_AFTER);
    response.setHeader('Cache-Control', 'no-store');
    response.status(status);
    if (status === 404 && !API.test(request.path) && request.accepts(['json', 'html']) === 'html') {
      response.setHeader('Content-Security-Policy', PLAIN_PAGE_POLICY);
      response.type('html').send(nothingHerePage());
    } else {
      response.json(problem);
    }
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
    const id = idToQuote();
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
