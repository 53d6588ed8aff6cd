import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** Close codes of RFC 6455 and of IANA's registry. */
const POLICY_VIOLATION = 1008;
export const TRY_AGAIN_LATER = 1013;

/** Our subscription has a tenth of this. */
export const MAX_MESSAGE_BYTES = 4 * 1024;
/** Messages of one socket in a minute, pings and pongs among them. The page sends two at first, then seven a minute. */
const MESSAGES_PER_MINUTE = 120;
/** So many received bytes cost one point of the network's allowance. */
const BYTES_PER_POINT = 256;
/** What a client may still send after our close frame, which it has not read yet. */
const MAX_DISCARDED_BYTES = 1024 * 1024;
/** Unsent bytes that end the socket of a slow reader. A live leaderboard needs a tenth of this. */
const MAX_UNSENT_BYTES = 32 * 1024;

export function endSlowReader(socket: WebSocket): void {
  if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
}

/** What counts as a message. */
const MESSAGES = ['message', 'ping', 'pong'];

/** Closes a socket, and hears no more of it. */
export function close(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState !== socket.OPEN) return;
  for (const event of MESSAGES) socket.removeAllListeners(event);
  socket.close(code, reason);
}

/** Closes a socket that sends too many messages in a minute. */
export function limitMessages(socket: WebSocket): void {
  let [since, messages] = [performance.now(), 0];
  const count = () => {
    const now = performance.now();
    if (now - since >= 60_000) [since, messages] = [now, 0];
    if (++messages > MESSAGES_PER_MINUTE)
      close(socket, POLICY_VIOLATION, `One socket may send ${MESSAGES_PER_MINUTE} messages a minute`);
  };
  for (const event of MESSAGES) socket.on(event, count);
}

interface Reading {
  /** Closes the socket when its network has too few points left. */
  readonly charge: (points: number) => Promise<void>;
  /** Runs the work in the turn of the network. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
}

/**
 * Charges bytes when they arrive, and gives them to ws in the turns of the network, 4 KiB at a time, because 64 KiB can be 10,900
 * frames. ws listens for `data`: with a listener of `readable`, Node emits it when we call `read()`, and never by itself. Of the
 * pings of one turn, the last is answered (RFC 6455, section 5.5.3).
 */
export function readInTurns(socket: WebSocket, connection: Socket, { charge, inTurn }: Reading): void {
  let [paid, discarded, isWaiting] = [0, 0, false];
  let ping: Buffer | undefined;
  socket.on('ping', (data: Buffer) => (ping = data));
  const discard = () => {
    discarded += connection.readableLength;
    connection.removeAllListeners('data').read();
    paid = 0;
    if (discarded > MAX_DISCARDED_BYTES) connection.destroy();
  };
  const pay = async () => {
    const bytes = connection.readableLength - paid;
    paid += bytes;
    if (bytes > 0) await charge(Math.ceil(bytes / BYTES_PER_POINT));
    // Of a closed socket, ws needs the answer to the close frame, which is short.
    if (socket.readyState !== socket.OPEN && connection.readableLength > MAX_MESSAGE_BYTES) discard();
  };
  const read = async () => {
    isWaiting = false;
    // More can have arrived while it waited.
    await pay();
    if (paid > 0) connection.read(Math.min(paid, MAX_MESSAGE_BYTES));
    // When all is read and the client has ended the connection, Node emits `end` here.
    connection.read(0);
    paid = connection.readableLength;
    if (ping && socket.readyState === socket.OPEN) socket.pong(ping);
    ping = undefined;
    endSlowReader(socket);
    if (paid > 0) wait();
  };
  const wait = () => {
    if (isWaiting) return;
    isWaiting = true;
    void inTurn(read);
  };
  connection.on('readable', () => void pay().then(wait));
  // When a connection breaks, ws would read the rest at once.
  connection.prependOnceListener('close', discard);
}
