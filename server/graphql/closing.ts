import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';

/** Close codes of RFC 6455 and of IANA's registry. */
export const POLICY_VIOLATION = 1008;
export const TRY_AGAIN_LATER = 1013;

/** Unsent bytes that end the socket of a slow reader. A live leaderboard needs a tenth of this. */
const MAX_UNSENT_BYTES = 32 * 1024;
/** What a client may still send after our close frame, which it has not read yet. */
const MAX_BYTES_AFTER_CLOSE = 64 * 1024;

export function endSlowReader(socket: WebSocket): void {
  if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
}

/** Closes a socket, hears no more of it, and cuts the connection of a client that sends on. */
export function close(socket: WebSocket, { socket: connection }: IncomingMessage, code: number, reason: string): void {
  if (socket.readyState !== socket.OPEN) return;
  for (const event of ['message', 'ping', 'pong']) socket.removeAllListeners(event);
  socket.close(code, reason);
  let rest = MAX_BYTES_AFTER_CLOSE;
  connection.on('data', ({ length }: Buffer) => {
    rest -= length;
    if (rest < 0) connection.destroy();
  });
}
