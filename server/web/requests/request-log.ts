import type { Level, Logger } from 'pino';
import { type Middleware, pathOf } from '../answers/answers.js';
import type { NetworkHash } from './network-hash.js';
import { contextOf, requestsEnded } from './request-context.js';

/**
 * Logs one line for each answer. Never the query, the headers or the body, because they carry codes, states and tokens.
 * Health checks have no line.
 */
export function requestLog(logger: Logger, hashes: NetworkHash): Middleware {
  return (request, response, next) => {
    const path = pathOf(request);
    const isCheck = path.startsWith('/health/');
    if (isCheck && !requestsEnded.hasSubscribers) return next();
    const context = contextOf(request);
    const began = performance.now();
    response.once('close', () => {
      const { method = '' } = request;
      const { statusCode: status } = response;
      const ms = performance.now() - began;
      const aborted = !response.writableFinished;
      requestsEnded.publish({ context, method, status, aborted, ms });
      const level = levelOf(status);
      if (isCheck || !logger.isLevelEnabled(level)) return;
      const { id, route, operation, errorCodes, playerId, address } = context;
      logger[level]({
        event: 'request',
        requestId: id,
        method,
        path,
        route,
        operation,
        status,
        errors: errorCodes?.(),
        durationMs: Math.round(ms * 10) / 10,
        playerId,
        network: hashes.of(address),
        aborted: aborted || undefined,
      });
    });
    next();
  };
}

function levelOf(status: number): Level {
  // A 503 has a line of its own with the reason.
  if (status >= 500 && status !== 503) return 'error';
  // The audit trail records 429, so that a flood does not fill the log.
  return status === 429 ? 'debug' : 'info';
}
