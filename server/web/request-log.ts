import type { Level, Logger } from 'pino';
import { pathOf } from './answers.js';
import type { Middleware } from './middleware-chain.js';
import { idToQuote } from './request-context.js';

/**
 * Logs the method, path, status and duration of each answer. Never the query, the headers or the body, because they carry
 * codes, states and tokens.
 */
export function requestLog(logger: Logger): Middleware {
  return (request, response, next) => {
    const path = pathOf(request);
    if (path.startsWith('/health/')) return next();
    const began = performance.now();
    const id = idToQuote();
    response.once('close', () => {
      const level = levelOf(response.statusCode);
      if (!logger.isLevelEnabled(level)) return;
      logger[level](
        {
          req: { id, method: request.method, path },
          res: { status: response.statusCode },
          responseTime: Math.round(performance.now() - began),
        },
        response.writableFinished ? 'request completed' : 'request aborted',
      );
    });
    next();
  };
}

function levelOf(status: number): Level {
  // A 503 has a line of its own with the reason.
  if (status >= 500 && status !== 503) return 'error';
  // The audit trail records 429, so that a flood does not fill the log.
  return status >= 400 && status !== 429 ? 'info' : 'debug';
}
