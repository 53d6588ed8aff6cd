import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A network that shares an allowance. */
export interface Network {
  readonly key: string;
  /** What one use costs here, in parts of which an allowance has `PARTS` for each use: fewer in a wider network. */
  readonly parts: number;
}

/** Never empty: the narrowest stands first. */
export type Networks = readonly [Network, ...Network[]];

/** Into how many parts a use is divided, so that a wider network has room for more uses of the same allowance. */
export const PARTS = 4;

/** Whoever has one IPv6 address has its /64; a /56 or a /48 is what one customer gets. They have once, twice and four times the room. */
const WIDTHS = [
  { bits: 64, parts: PARTS },
  { bits: 56, parts: PARTS / 2 },
  { bits: 48, parts: PARTS / 4 },
] as const;

/** Addresses that nobody can read share one allowance: each of them would otherwise have its own. */
const UNREADABLE: Networks = [{ key: 'unreadable', parts: PARTS }];

/**
 * The networks that an address counts for, the narrowest first: an IPv4 address for itself, an IPv6 address for three
 * widths.
 * @param address as a proxy may write it: also with a port, in brackets, or as IPv4 mapped into IPv6
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
