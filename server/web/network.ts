import { isIPv6 } from 'node:net';

/** Whoever has one IPv6 address has the 2^64 of its network, so they count as one. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail?.split(':').filter(Boolean) ?? [];
  const all = [...groups, ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest];
  return all
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}
