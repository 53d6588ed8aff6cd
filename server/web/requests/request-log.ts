import type { onRequestHookHandler } from 'fastify';
import type { Level, Logger } from 'pino';
import type { NetworkHash } from './client-address.js';
import { pathOf, type RequestContext, requestsEnded } from './request.js';

/**
 * Logs one line for each answer. Never the query, the headers or the body, because they carry codes, states and tokens.
 * Health checks have no line.
 */
export function logRequest(logger: Logger, hashes: NetworkHash): onRequestHookHandler {
  return ({ raw, context, routeOptions: { url, config } }, reply, done) => {
    const path = pathOf(raw);
    context.route = config.file ?? url;
    const isCheck = path.startsWith('/health/');
    if (isCheck && !requestsEnded.hasSubscribers) return done();
    const began = performance.now();
    reply.raw.once('close', () => {
      const { method = '' } = raw;
      const { statusCode: status, writableFinished } = reply.raw;
      const ms = performance.now() - began;
      requestsEnded.publish({ context, method, status, aborted: !writableFinished, ms });
      const level = levelOf(status, context);
      if (isCheck || !logger.isLevelEnabled(level)) return;
      const { id, route, operation, games, errorCodes, playerId, address } = context;
      logger[level]({
        event: 'request',
        requestId: id,
        method,
        path: withoutSecrets(path, route),
        route,
        operation,
        games,
        status,
        errors: errorCodes?.(),
        durationMs: Math.round(ms * 10) / 10,
        playerId,
        network: hashes.of(address),
        aborted: !writableFinished || undefined,
      });
    });
    done();
  };
}

/** An address that is none of ours may hold a token or a code, in any form: the log has its short words. */
function withoutSecrets(path: string, route: string | undefined): string {
  if (route) return /[:*]/.test(route) ? route : path;
  return path.replace(/[^/]+/g, (segment) => (/^[a-z._-]{1,20}$/i.test(segment) ? segment : '…'));
}

function levelOf(status: number, { operation, errorCodes }: RequestContext): Level {
  // A 503 has a line of its own with the reason.
  if (status >= 500 && status !== 503) return 'error';
  // The audit trail records 429, so that a flood does not fill the log.
  if (status === 429) return 'debug';
  // The line of the finished game tells of its ticket.
  return operation === 'startGame' && !errorCodes?.().length ? 'debug' : 'info';
}
