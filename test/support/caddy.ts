import { readFileSync } from 'node:fs';
import { runCaddy } from '../../scripts/machine/caddy.js';
import { changed } from './compose.js';

interface Place {
  /** The name or the origin that players open. */
  readonly site: string;
  readonly ports: { readonly http: number; readonly https: number };
  /** Which of both it opens for this site. */
  readonly listens: number;
  /** Of each server. */
  readonly serverPort: string;
  /** The name server that knows the name `server`. */
  readonly names: string;
}

/** Starts Caddy with the file of the profile `https`. Addresses differ, and an authority of its own gives the certificate. */
export function startCaddy(
  { site, ports, listens, serverPort, names }: Place,
  changes: readonly (readonly [string, string])[] = [],
) {
  const text = changed(readFileSync('docker/caddy/Caddyfile', 'utf8'), [
    ['http_port 8080', `http_port ${ports.http}\n\tlocal_certs\n\tskip_install_trust`],
    ['https_port 8443', `https_port ${ports.https}`],
    ['{$SITE} {', '{$SITE} {\n\tbind 127.0.0.1'],
    ['dynamic a server 3000 {', `dynamic a server ${serverPort} {\n\tresolvers udp/${names}`],
    // Debian's Caddy does not know it.
    ['versions ipv4', ''],
    ...changes,
  ]);
  return runCaddy(text, listens, { SITE: site });
}
