import { NotFoundException } from '@nestjs/common';
import type { Middleware } from '../middleware-chain.js';

/**
 * Reduces an absolute address (RFC 9112, section 3.2.2) to its path, so that all parts of the server see the same path.
 * Nothing exists at any other form, such as `*`.
 */
export const toOriginForm: Middleware = (request, _response, next) => {
  const { url = '/' } = request;
  if (url.startsWith('/')) return next();
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return next(new NotFoundException());
  const { pathname, search } = new URL(url);
  request.url = pathname + search;
  next();
};

/** Only files may have encoded characters in their path. Fastify would decode them, and rules about a path would differ. */
export const refuseEncodedPath: Middleware = (request, _response, next) =>
  /^[^?#]*%/.test(request.url ?? '') ? next(new NotFoundException()) : next();
