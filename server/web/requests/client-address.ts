import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import { Injectable, Logger } from '@nestjs/common';
import { type Network, networksOf } from '../../limits/network.js';
import { Env } from '../../settings/env.js';
import { Keys } from '../../settings/keys.js';

/** Replaces addresses in the log and in the database by keyed hashes. */
@Injectable()
export class NetworkHash {
  /** As long as a network is known itself, so that most log lines need no HMAC. */
  private readonly known = new WeakMap<Network, string>();

  constructor(private readonly keys: Keys) {}

  /** The hash of an IPv4 address or of an IPv6 /64: 43 characters of base64url, the same on every server. */
  of(address: string): string {
    return this.ofNetwork(networksOf(address)[0]!);
  }

  ofNetwork(network: Network): string {
    const mac = () => createHmac('sha256', this.keys.keysFor('address')[0]).update(network.key).digest('base64url');
    const hash = this.known.get(network) ?? mac();
    this.known.set(network, hash);
    return hash;
  }
}

/** Whether to believe the header of the proxy at this address, so many hops away from us. */
type Trust = (address: string, hop: number) => boolean;

/** The address and the host that a client used, from the headers of proxies only if `TRUST_PROXY` names them. */
@Injectable()
export class ClientAddress {
  private readonly trust: Trust;
  private hasWarned: boolean;

  constructor({ trustProxy }: Env) {
    this.trust = trustOf(trustProxy);
    this.hasWarned = trustProxy !== false;
  }

  /** Warns once about an untrusted proxy, because all visitors behind it share the limits of one address. */
  of(request: IncomingMessage): string {
    if (!this.hasWarned && request.headers['x-forwarded-for'] !== undefined) {
      this.hasWarned = true;
      const message =
        'Requests carry X-Forwarded-For, and TRUST_PROXY is not set: all visitors behind that proxy count as one address. Set TRUST_PROXY if the proxy is yours.';
      new Logger('Http').warn({ event: 'proxy_not_trusted', message });
    }
    // A connection that has ended has no address.
    return proxyAddr(request, this.trust) ?? '';
  }

  hostOf({ headers, socket }: IncomingMessage): string | undefined {
    const forwarded = headers['x-forwarded-host'];
    if (typeof forwarded !== 'string' || !this.isProxy(socket.remoteAddress)) return headers.host;
    return forwarded.split(',')[0]!.trim();
  }

  /** Whether many clients come from this address. */
  isProxy(address = ''): boolean {
    return this.trust(address, 0);
  }
}

function trustOf(trustProxy: Env['trustProxy']): Trust {
  if (trustProxy === false) return () => false;
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  return proxyAddr.compile(trustProxy.split(',').map((entry) => entry.trim()));
}
