import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { idToQuote } from './request-context.js';

/**
 * Logs the method, path, status and duration of each answer. Never the query, the headers or the body, because they carry
 * codes, states and tokens.
 */
export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp({
    logger,
    genReqId: idToQuote,
    autoLogging: { ignore: (request) => request.url?.startsWith('/health/') ?? false },
    customLogLevel: (_request, response, error) => {
      // A 503 has a line of its own with the reason.
      if (response.statusCode !== 503 && (error || response.statusCode >= 500)) return 'error';
      // The audit trail records 429, so that a flood does not fill the log.
      return response.statusCode >= 400 && response.statusCode !== 429 ? 'info' : 'debug';
    },
    serializers: {
      req: (request: { id: string; method: string; url: string }) => ({
        id: request.id,
        method: request.method,
        path: request.url.split('?')[0],
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      err: () => undefined,
    },
  }) as RequestHandler;
}
