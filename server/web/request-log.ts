import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';

/**
 * One line for each answer: method, path, status, duration. Never the query, the headers or the body: they carry codes,
 * states and tokens.
 */
export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp({
    logger,
    autoLogging: { ignore: (request) => request.url?.startsWith('/health/') ?? false },
    customLogLevel: (_request, response, error) => {
      // Why a 503 was answered is a line of its own.
      if (response.statusCode !== 503 && (error || response.statusCode >= 500)) return 'error';
      return response.statusCode >= 400 ? 'info' : 'debug';
    },
    serializers: {
      req: (request: { method: string; url: string }) => ({ method: request.method, path: request.url.split('?')[0] }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      err: () => undefined,
    },
  }) as RequestHandler;
}
