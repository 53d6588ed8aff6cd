import { isIP } from 'node:net';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { readEnv } from '../../settings/env.js';
import { Keys } from '../../settings/keys.js';
import { networksOf, written } from '../../web/requests/network.js';
import { NetworkHash } from '../../web/requests/network-hash.js';
import { CommandError } from './session.js';
import type { Terminal } from './terminal.js';

/** IPv4, or IPv6 perhaps followed by a port as HAProxy writes it. */
const ADDRESSES = /(?:\d{1,3}\.){3}\d{1,3}|(?:[\da-f]{0,4}:){2,8}(?:[\d.]{5,}|[\da-f]{0,4})/gi;

export function addNetworkCommand(program: Command, terminal: Terminal): void {
  program
    .command('network <words...>')
    // A hash may begin with a hyphen.
    .allowUnknownOption()
    .description('find hashes of the log in an access log on standard input; or show the hashes of addresses')
    .action((words: string[]) => {
      const hashes = new NetworkHash(new Keys(readEnv(terminal.settings)));
      if (words.every((word) => isIP(word))) {
        const rows = words.flatMap(networksOf).map((one) => ({ hash: hashes.ofNetwork(one), network: written(one) }));
        return terminal.printTable(rows, ['hash', 'network']);
      }
      if (words.every((word) => /^[\w-]{43}$/.test(word))) return find(terminal, hashes, words);
      throw new CommandError('Give addresses, or hashes of 43 characters from the field `network` of the log.');
    });
}

async function find(terminal: Terminal, hashes: NetworkHash, wanted: readonly string[]): Promise<void> {
  if (terminal.isInteractive) throw new CommandError('Give it a log of the proxy: ttt network HASH < access.log');
  const found = new Map<string, number>();
  for await (const line of createInterface(process.stdin)) {
    // An IPv6 address with a port counts with and without its last part.
    const texts = [...line.matchAll(ADDRESSES)].flatMap(([text]) => [text, text.replace(/:[^:]*$/, '')]);
    const networks = [...new Set(texts)].filter((text) => isIP(text)).flatMap(networksOf);
    const matching = new Set(networks.filter((network) => hashes.matches(network, wanted)).map(written));
    for (const network of matching) found.set(network, (found.get(network) ?? 0) + 1);
  }
  const rows = Array.from(found, ([network, lines]) => ({ lines, network })).toSorted((a, b) => b.lines - a.lines);
  if (rows.length > 0) return terminal.printTable(rows, ['lines', 'network']);
  throw new CommandError('No line has such an address. After a replacement of the secret: set AUTH_SECRET=new,old');
}
