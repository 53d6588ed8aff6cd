/** Finds and checks TCP ports. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** @returns {Promise<number>} a port that no program listens on */
export async function freePort(host = '127.0.0.1') {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  return port;
}

/** @returns {Promise<boolean>} whether another program already listens on the port */
export function portIsTaken(/** @type {number} */ port, /** @type {string} */ host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code === 'EADDRINUSE'));
    server.listen({ port, host }, () => server.close(() => resolve(false)));
  });
}

/** @param {number} port @returns {Promise<boolean>} whether a program on this machine listens on the port */
export function listens(port) {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      settle(true);
    });
    socket.once('error', () => settle(false));
  });
}
