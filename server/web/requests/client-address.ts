import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import { Injectable, Logger } from '@nestjs/common';
import { Env } from '../../settings/env.js';
import type { Middleware } from '../answers/answers.js';

type Trust = (address: string, hop: number) => boolean;

/** The address and the host that a client used, from the headers of proxies only if `TRUST_PROXY` names them. */
@Injectable()
export class ClientAddress {
  private readonly trust: Trust;

  constructor({ trustProxy }: Env) {
    this.trust = trustOf(trustProxy);
  }

  of(request: IncomingMessage): string {
    // A connection that has ended has no address.
    return proxyAddr(request, this.trust) ?? '';
  }

  hostOf({ headers, socket }: IncomingMessage): string | undefined {
    const forwarded = headers['x-forwarded-host'];
    if (typeof forwarded !== 'string' || !this.trust(socket.remoteAddress ?? '', 0)) return headers.host;
    return forwarded.split(',')[0]!.trim();
  }
}

/** Whether to believe the header of a proxy. Fastify uses the same function. */
export function trustOf(trustProxy: Env['trustProxy']): Trust {
  if (trustProxy === false) return () => false;
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  return proxyAddr.compile(trustProxy.split(',').map((entry) => entry.trim()));
}

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
