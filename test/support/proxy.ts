import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a server and its PostgreSQL that fails as networks do. */
export interface Proxy {
  /** The database behind the proxy. */
  readonly url: string;
  /** From now on the open connections lose all bytes, both ways and silently. */
  swallow(): void;
  /** From now on new connections lose all bytes too. */
  mute(): void;
  /** Closes the open connections, and from now on the new ones. */
  refuse(): void;
  /** From now on new connections work. The others still lose all bytes. */
  heal(): void;
  stop(): Promise<void>;
}

/** @param target the address of a database that listens on TCP */
export async function proxyTo(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<{ near: Socket; far: Socket; lost: boolean }>();
  const sockets = new Set<Socket>();
  let muted = false;
  let refuses = false;
  const server = createServer((near) => {
    if (refuses) return void near.destroy();
    const far = connect(Number(port), hostname);
    const pair = { near, far, lost: muted };
    pairs.add(pair);
    sockets.add(near).add(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => void (pair.lost || to.write(bytes)));
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        sockets.delete(from);
        // The other side does not learn of the end of a lost connection either.
        if (!pair.lost) to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const swallow = () => {
    for (const pair of pairs) pair.lost = true;
  };
  return {
    url: url.href,
    swallow,
    mute() {
      muted = true;
      swallow();
    },
    refuse() {
      refuses = true;
      for (const socket of sockets) socket.destroy();
    },
    heal() {
      muted = false;
      refuses = false;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
