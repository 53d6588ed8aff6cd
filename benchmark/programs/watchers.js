/** Opens sockets that watch the leaderboard, and tells how far apart the first and the last of them see a change (`fork`ed). */
import WebSocket from 'ws';

/** A server may bound the sockets of one address: these come from many, which Linux has on its loopback device. */
const SOCKETS_PER_ADDRESS = 300;
const OPENING_AT_ONCE = 50;

/** @type {WebSocket[]} */
const sockets = [];
let seen = 0;
let first = 0;
let onMessage = () => {};

process.on('message', async (message) => {
  const order = /** @type {{ open?: number, url?: string, query?: string }} */ (message);
  if (order.open !== undefined) {
    let wanted = order.open;
    const opening = async () => {
      while (wanted > 0) {
        wanted -= 1;
        const socket = await open(String(order.url), String(order.query), wanted).catch(() => undefined);
        if (!socket) return;
        sockets.push(socket);
      }
    };
    await Promise.all(Array.from({ length: OPENING_AT_ONCE }, opening));
    process.send?.({ opened: sockets.length });
    return;
  }
  seen = 0;
  onMessage = () => {
    seen += 1;
    if (seen === 1) first = performance.now();
    if (seen === sockets.length) process.send?.({ spreadMs: performance.now() - first });
  };
});
process.on('disconnect', () => process.exit(0));

/**
 * A socket that has got the leaderboard as it is.
 * @param {string} url @param {string} query @param {number} number
 * @returns {Promise<WebSocket>}
 */
function open(url, query, number) {
  const localAddress =
    process.platform === 'linux' ? `127.0.0.${2 + Math.floor(number / SOCKETS_PER_ADDRESS)}` : undefined;
  const socket = new WebSocket(url, 'graphql-transport-ws', { localAddress, perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once('error', reject).once('close', () => reject(new Error('The server closed the socket.')));
    socket.once('open', () => socket.send('{"type":"connection_init"}'));
    socket.once('message', () => {
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
      socket.once('message', () => {
        socket.on('message', () => onMessage());
        resolve(socket);
      });
    });
  });
}
