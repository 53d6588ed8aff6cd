import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LruCache } from '../base/lru-cache.js';

/** A network whose clients share limits. */
export interface Network {
  readonly key: string;
  /** How many times the limit of an address it has. */
  readonly size: 1 | 2 | 4;
}

/** One IPv6 host owns a /64, and one customer a /56 or a /48. A host must not have the limits of 65,536 addresses. */
const IPV6 = [
  { bits: 64, size: 1 },
  { bits: 56, size: 2 },
  { bits: 48, size: 4 },
] as const;

/** Three limits need a request's networks, and parsing an address takes longer than counting it. */
const known = new LruCache<readonly Network[]>(10_000);

/**
 * The networks that an address counts for: one for IPv4, three for IPv6, the narrowest first.
 * @param address may have a port or brackets, or be IPv4 mapped into IPv6, as proxies write it
 */
export function networksOf(address: string): readonly Network[] {
  let networks = known.get(address);
  if (!networks) known.set(address, (networks = read(address)));
  return networks;
}

function read(address: string): readonly Network[] {
  const bare = address.replace(/^\[(.+)\](:\d{1,5})?$|^([\d.]+):\d{1,5}$/, '$1$3');
  // All malformed addresses share their limits.
  if (!isIP(bare)) return [{ key: 'malformed', size: 1 }];
  const parsed = ipaddr.process(bare.split('%')[0]!);
  if (parsed.kind() === 'ipv4') return [{ key: parsed.toString(), size: 1 }];
  const hex = Buffer.from(parsed.toByteArray()).toString('hex');
  return IPV6.map(({ bits, size }) => ({ key: `${hex.slice(0, bits / 4)}/${bits}`, size }));
}
