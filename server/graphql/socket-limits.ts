import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** Close codes of RFC 6455 and of IANA's registry. */
const POLICY_VIOLATION = 1008;
export const TRY_AGAIN_LATER = 1013;

/** Our subscription has a tenth of this. */
export const MAX_MESSAGE_BYTES = 4 * 1024;
/** Messages of one socket in a minute, pings and pongs among them. The page sends two at first, then seven a minute. */
const MESSAGES_PER_MINUTE = 120;
/** Bytes that may arrive at once: five subscriptions, and more. */
const MAX_ARRIVED_BYTES = 32 * 1024;
/** So many received bytes cost one point of the network's allowance. */
const BYTES_PER_POINT = 256;
/** What a client may still send after our close frame, which it has not read yet. */
const MAX_DROPPED_BYTES = 1024 * 1024;
/** Unsent bytes that end the socket of a slow reader. A live leaderboard needs a tenth of this. */
const MAX_UNSENT_BYTES = 32 * 1024;

export function endSlowReader(socket: WebSocket): void {
  if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
}

/** What counts as a message. */
const MESSAGES = ['message', 'ping', 'pong'];

/** Closes a socket. What still comes is dropped, because ws would keep it until `closeTimeout`. */
export function close(socket: WebSocket, connection: Socket, code: number, reason: string): void {
  if (socket.readyState !== socket.OPEN) return;
  for (const event of MESSAGES) socket.removeAllListeners(event);
  socket.close(code, reason);
  let left = MAX_DROPPED_BYTES;
  const drop = ({ length }: Buffer) => {
    left -= length;
    if (left < 0) connection.destroy();
  };
  connection.removeAllListeners('data').on('data', drop).resume();
}

/**
 * Charges what a socket sends before ws reads it, because 64 KiB can be 10,900 pings, and ws keeps all that came with a part
 * of a frame. Counts its messages too. Closes a socket that sends too much at once, or too many messages in a minute.
 * @param charge closes the socket, and returns false, when its network has too few points left
 */
export function limitMessages(socket: WebSocket, connection: Socket, charge: (points: number) => boolean): void {
  const end = (reason: string) => close(socket, connection, POLICY_VIOLATION, `One socket may send ${reason}`);
  const readers = connection.listeners('data');
  connection.removeAllListeners('data').on('data', (chunk: Buffer) => {
    if (!charge(Math.ceil(chunk.length / BYTES_PER_POINT))) return;
    if (chunk.length > MAX_ARRIVED_BYTES) end(`${MAX_ARRIVED_BYTES / 1024} KiB at once`);
    else for (const read of readers) read.call(connection, chunk);
  });
  let [since, messages] = [performance.now(), 0];
  const count = () => {
    const now = performance.now();
    if (now - since >= 60_000) [since, messages] = [now, 0];
    if (++messages > MESSAGES_PER_MINUTE) end(`${MESSAGES_PER_MINUTE} messages a minute`);
    endSlowReader(socket);
  };
  for (const event of MESSAGES) socket.on(event, count);
}
