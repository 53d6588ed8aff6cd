import { Logger } from '@nestjs/common';
import type { Env } from '../../settings/env.js';
import type { Middleware } from '../middleware-chain.js';

/** Warns once about an untrusted proxy, because all visitors behind it share the limits of one address. */
export function warnOfUnknownProxy({ trustProxy }: Env): Middleware {
  let warned = trustProxy !== false;
  return (request, _response, next) => {
    if (!warned && request.headers['x-forwarded-for'] !== undefined) {
      warned = true;
      new Logger('Http').warn({
        event: 'proxy_not_trusted',
        message:
          'Requests carry X-Forwarded-For, and TRUST_PROXY is not set: all visitors behind that proxy count as one address. Set TRUST_PROXY if the proxy is yours.',
      });
    }
    next();
  };
}
