import { BadRequestException, NotFoundException } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { Clock } from '../base/clock.js';
import { Env } from '../settings/env.js';
import { BUILT_CLIENT } from '../settings/folders.js';
import { pathOf } from './answers/answers.js';
import { ClientAddress, warnOfUnknownProxy } from './requests/client-address.js';
import type { Middleware } from './middleware-chain.js';
import { NetworkHash } from './requests/network-hash.js';
import { answerPreflight, otherOrigins } from './answers/other-origins.js';
import { builtPages, inlineScripts, toPublicOrigin } from './page/page.js';
import { Refusals } from './answers/refusals.js';
import { RequestAllowance, requestLimit } from './requests/request-allowance.js';
import { contextOf, requestContext } from './requests/request-context.js';
import { requestLog } from './requests/request-log.js';
import { securityHeaders } from './answers/security-headers.js';
import { CodedException } from './answers/codes.js';

/**
 * The middleware before Fastify, in this order.
 * @param pictureHosts the only other hosts from which the page may load pictures
 * @param hasSecret finds a personal token in an address
 */
export function middlewareOf(
  app: NestFastifyApplication,
  log: Logger,
  pictureHosts: readonly string[],
  hasSecret: (address: string) => boolean,
): Middleware[] {
  const env = app.get(Env);
  const addresses = app.get(ClientAddress);
  return [
    requestContext(app.get(Clock), addresses),
    securityHeaders(env, { inlineScripts: inlineScripts(BUILT_CLIENT), pictureHosts }),
    // Before the limits, so that an allowed origin can read a refusal and its Retry-After.
    otherOrigins(env),
    warnOfUnknownProxy(env),
    requestLimit(app.get(RequestAllowance)),
    // Before the log, which writes the path.
    refuseSecretInAddress(hasSecret, app.get(Refusals)),
    // After the limit, so that a refused request costs little. The audit trail records it.
    requestLog(log, app.get(NetworkHash)),
    refuseSecondHost,
    toOriginForm,
    answerPreflight,
    toPublicOrigin(env, addresses),
    ...builtPages(BUILT_CLIENT, env),
    refuseEncodedPath,
    keepAuthPrivate,
  ];
}

/**
 * Reduces an absolute address (RFC 9112, section 3.2.2) to its path, so that all parts of the server see the same path.
 * Nothing exists at any other form, such as `*`.
 */
const toOriginForm: Middleware = (request, _response, next) => {
  const { url = '/' } = request;
  if (url.startsWith('/')) return next();
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return next(new NotFoundException());
  const { pathname, search } = new URL(url);
  request.url = pathname + search;
  next();
};

/** Browsers, proxies and logs keep addresses. */
function refuseSecretInAddress(hasSecret: (address: string) => boolean, refusals: Refusals): Middleware {
  return (request, _response, next) => {
    if (!hasSecret(request.url ?? '')) return next();
    const code = 'token_in_address';
    refusals.note({ event: 'refused', status: 400, code }, contextOf(request));
    const error =
      'There is a token in the address, where others may have read it. Revoke it. Send tokens in the header Authorization.';
    next(new CodedException(code, error));
  };
}

/** Node keeps the first of several, and a proxy may have checked another one (RFC 9112, section 3.2). */
const refuseSecondHost: Middleware = ({ rawHeaders }, _response, next) => {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  next(hosts > 1 ? new BadRequestException('A request has one Host header.') : undefined);
};

/** Only files may have encoded characters in their path. Fastify would decode them, and rules about a path would differ. */
const refuseEncodedPath: Middleware = (request, _response, next) =>
  /^[^?#]*%/.test(request.url ?? '') ? next(new NotFoundException()) : next();

/** The answers carry codes, tokens and cookies, so no cache may store them. */
const keepAuthPrivate: Middleware = (request, response, next) => {
  if (/^\/auth\//i.test(pathOf(request))) response.setHeader('Cache-Control', 'no-store');
  next();
};
