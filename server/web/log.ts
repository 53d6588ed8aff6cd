import type { IncomingMessage } from 'node:http';
import type { LoggerService } from '@nestjs/common';
import type { onRequestHookHandler } from 'fastify';
import { type Level, type Logger, pino } from 'pino';
import type { LogLevel } from '../settings/env.js';
import type { NetworkHash } from './requests/client-address.js';
import { isHealthCheck, pathOf, type RequestContext, requestsEnded } from './requests/request.js';

/** Nest's messages about its own start are logged at the level `debug`. */
const FRAMEWORK = /^(NestFactory|NestApplication|InstanceLoader|RoutesResolver|RouterExplorer|GraphQLModule)$/;

/** Nest repeats the error that ends the start, which main.ts explains. */
const REPEATED = 'ExceptionHandler';

/** Writes each entry as a line of JSON to standard output. The lines of one turn of the event loop share a system call. */
export function createLog(level: LogLevel): Logger {
  const output = pino.destination({ sync: true, minLength: 8_192 });
  let due: NodeJS.Immediate | undefined;
  const flush = () => {
    due = undefined;
    output.flush();
  };
  process.once('exit', flush);
  const write = (line: string) => {
    due ??= setImmediate(flush);
    output.write(line);
  };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}

/** Connects Nest's loggers to the log: `logger.warn({ event, ... })` or `logger.warn('A sentence.')`. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(FRAMEWORK.test(String(rest.at(-1))) ? 'debug' : 'info', message, ...rest);
  }

  readonly warn = this.write.bind(this, 'warn');
  readonly error = this.write.bind(this, 'error');
  readonly fatal = this.write.bind(this, 'fatal');
  readonly debug = this.write.bind(this, 'debug');
  readonly verbose = this.write.bind(this, 'trace');

  /** Nest passes the caller's name last and, for errors, a stack before it. */
  private write(given: Level, message: unknown, ...rest: unknown[]): void {
    const level = rest.at(-1) === REPEATED ? 'debug' : given;
    const said = typeof message === 'object' && message !== null ? message : { message };
    const { requestId, ...fields } = said as { requestId?: string };
    const stack = rest.length > 1 && rest[0] !== undefined ? { stack: rest[0] } : {};
    // The id of the request stands before the event, whose fields stay together.
    this.target[level]({ context: rest.at(-1), requestId, ...fields, ...stack });
  }
}

/**
 * Logs one line for each answer. Never the query, the headers or the body, because they carry codes, states and tokens.
 * Health checks have no line.
 */
export function logRequest(logger: Logger, hashes: NetworkHash): onRequestHookHandler {
  return ({ raw, context, routeOptions }, reply, done) => {
    const path = pathOf(raw);
    context.route = routeOptions.config.file ?? routeOptions.url;
    const began = performance.now();
    reply.raw.once('close', () => {
      const { method = '' } = raw;
      const { statusCode: status, writableFinished } = reply.raw;
      const ms = performance.now() - began;
      requestsEnded.publish({ context, method, status, aborted: !writableFinished, ms });
      const level = levelOf(status, context);
      if (isHealthCheck(routeOptions) || !logger.isLevelEnabled(level)) return;
      const { id, route, operation, games, errorCodes, playerId, address } = context;
      logger[level]({
        event: 'request',
        requestId: id,
        traceId: traceIdOf(raw),
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

/** The only version yet has no more parts. A later one may have, and neither id is ever zero. */
const TRACEPARENT =
  /^(?:00(?=.{53}$)|(?!00|ff)[\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** By which an operator finds the request in the log of a proxy (W3C Trace Context). */
const traceIdOf = ({ headers }: IncomingMessage) => TRACEPARENT.exec(String(headers.traceparent))?.[1];

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
