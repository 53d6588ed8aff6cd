import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

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
