import { isIP } from 'node:net';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { LruCache } from '../../base/lru-cache.js';
import { readEnv } from '../../settings/env.js';
import { Keys } from '../../settings/keys.js';
import { networksOf, written } from '../../web/requests/network.js';
import { NetworkHash } from '../../web/requests/network-hash.js';
import { CommandError } from './session.js';
import type { Terminal } from './terminal.js';

const HASH = /^[\w-]{43}$/;
/** IPv4, or IPv6 perhaps followed by a port as HAProxy writes it. */
const ADDRESSES = /(?:\d{1,3}\.){3}\d{1,3}|(?:[\da-f]{0,4}:){2,8}(?:\d+\.\d+\.\d+\.\d+|\d{5}|[\da-f]{0,4})/gi;
const KEPT_ADDRESSES = 10_000;

export function addNetworkCommand(program: Command, terminal: Terminal): void {
  program
    .command('network <words...>')
    // A hash may begin with a hyphen.
    .allowUnknownOption()
    .description(
      'find the network of a hash in the log: <words> are hashes, and standard input is an access log of the proxy; ' +
        'or <words> are addresses, and the hashes of their networks are printed',
    )
    .action((words: string[]) => {
      const hashes = new NetworkHash(new Keys(readEnv(terminal.settings)));
      if (words.every((word) => isIP(word))) return printHashes(terminal, hashes, words);
      if (words.every((word) => HASH.test(word))) return find(terminal, hashes, words);
      throw new CommandError('Give addresses, or hashes of 43 characters from the field `network` of the log.');
    });
}

function printHashes(terminal: Terminal, hashes: NetworkHash, addresses: readonly string[]): void {
  const networks = addresses.flatMap((address) => networksOf(address));
  terminal.printTable(
    networks.map((network) => ({ hash: hashes.ofNetwork(network), network: written(network) })),
    ['hash', 'network'],
  );
}

async function find(terminal: Terminal, hashes: NetworkHash, wanted: readonly string[]): Promise<void> {
  if (terminal.isInteractive)
    throw new CommandError('Give it an access log of the proxy: ttt network HASH < access.log');
  const known = new LruCache<readonly string[]>(KEPT_ADDRESSES);
  const matches = (address: string): readonly string[] => {
    const networks =
      known.get(address) ??
      networksOf(address)
        .filter((network) => hashes.allOf(network).some((hash) => wanted.includes(hash)))
        .map(written);
    known.set(address, networks);
    return networks;
  };
  const found = new Map<string, number>();
  let lines = 0;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    lines += 1;
    for (const network of new Set(addressesIn(line).flatMap(matches)))
      found.set(network, (found.get(network) ?? 0) + 1);
  }
  if (found.size > 0) {
    const rows = [...found].map(([network, count]) => ({ lines: count, network }));
    return terminal.printTable(
      rows.toSorted((one, other) => other.lines - one.lines),
      ['lines', 'network'],
    );
  }
  terminal.exitCode = 1;
  terminal.print(
    `None of ${lines} lines has an address with this hash. The log must be of the time of the refusal, and AUTH_SECRET the ` +
      'one of the servers then: after a replacement, set AUTH_SECRET=new,old for this command.',
  );
}

/** The addresses of a line. An IPv6 address with a port counts with and without its last part. */
function addressesIn(line: string): string[] {
  return [...line.matchAll(ADDRESSES)]
    .flatMap(([text]) => (text.includes(':') ? [text, text.slice(0, text.lastIndexOf(':'))] : [text]))
    .filter((text) => isIP(text));
}
