import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { Injectable, Logger } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { LruCache } from '../../base/lru-cache.js';
import { Env } from '../../settings/env.js';
import { Keys } from '../../settings/keys.js';
import type { Middleware } from '../answers/answers.js';

/** A network that shares an allowance. */
export interface Network {
  readonly key: string;
  /** The cost of one use in parts. A wider network pays fewer. */
  readonly parts: number;
}

/** The narrowest first, at least one. */
type Networks = readonly [Network, ...Network[]];

/** The parts of one use in an allowance. */
export const PARTS = 4;

/** One IPv6 host owns a /64, and one customer a /56 or a /48. They get one, two and four times the allowance. */
const WIDTHS = [
  { bits: 64, parts: PARTS },
  { bits: 56, parts: PARTS / 2 },
  { bits: 48, parts: PARTS / 4 },
] as const;

/** All malformed addresses share one allowance. */
const UNREADABLE: Networks = [{ key: 'unreadable', parts: PARTS }];

/**
 * The networks that an address counts for: one for IPv4, three widths for IPv6.
 * @param address may have a port or brackets, or be IPv4 mapped into IPv6, as proxies write it
 */
export function networksOf(address: string): Networks {
  const bare = withoutPort(address);
  if (!isIP(bare)) return UNREADABLE;
  const parsed = ipaddr.process(bare.split('%')[0]!);
  if (parsed.kind() === 'ipv4') return [{ key: parsed.toString(), parts: PARTS }];
  const hex = Buffer.from(parsed.toByteArray()).toString('hex');
  const [narrowest, ...wider] = WIDTHS.map(({ bits, parts }) => ({ key: `${hex.slice(0, bits / 4)}/${bits}`, parts }));
  return [narrowest!, ...wider];
}

function withoutPort(address: string): string {
  return /^\[(.+)\](?::\d{1,5})?$/.exec(address)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(address)?.[1] ?? address;
}

/** The addresses whose hash is kept, so that most log lines need no HMAC. */
const KEPT_ADDRESSES = 10_000;

/** Replaces addresses in the log and in the database by keyed hashes. */
@Injectable()
export class NetworkHash {
  private readonly known = new LruCache<string>(KEPT_ADDRESSES);

  constructor(private readonly keys: Keys) {}

  /** The hash of an IPv4 address or of an IPv6 /64: 43 characters of base64url, the same on every server. */
  of(address: string): string {
    const known = this.known.get(address);
    if (known) return known;
    const hash = this.ofNetwork(networksOf(address)[0]);
    this.known.set(address, hash);
    return hash;
  }

  ofNetwork({ key }: Network): string {
    return createHmac('sha256', this.keys.keysFor('address')[0]).update(key).digest('base64url');
  }
}

/** Whether to believe the header of the proxy at this address, so many hops away from us. */
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
