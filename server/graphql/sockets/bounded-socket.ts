import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { CloseCode, MessageType, type Server } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Full, Held } from '../../web/requests/held-bytes.js';
import { SOCKET_BYTES } from './admission.js';
import type { Subscriber } from './shared-execution.js';

type Opened = Parameters<Server['opened']>[0];

/** Messages per socket and minute. The page sends two. */
const MESSAGES_PER_MINUTE = 120;
const MINUTE_MS = 60_000;
/** Bytes of a message other than `subscribe`. An access token fits into it. */
const MAX_CONTROL_BYTES = 2 * 1024;
/** Unsent bytes that close the socket of a slow reader. A live leaderboard needs a tenth of this. */
const MAX_BUFFERED_BYTES = 128 * 1024;
/** How many bytes of a message cost one point of the network's allowance. */
const BYTES_PER_POINT = 1024;

const CLIENT_MESSAGES: ReadonlySet<unknown> = new Set([
  MessageType.ConnectionInit,
  MessageType.Ping,
  MessageType.Pong,
  MessageType.Subscribe,
  MessageType.Complete,
]);

/** Close codes of RFC 6455 and of IANA's registry. */
const POLICY_VIOLATION = 1008;
const MESSAGE_TOO_BIG = 1009;
const TRY_AGAIN_LATER = 1013;

/** What a subscription takes in memory beside its message, in bytes: its document has few tokens. */
const SUBSCRIPTION_BYTES = 6_000;

const FULL: Record<Full, string> = {
  network: 'Too many subscriptions from this address. End some of them.',
  process: 'This server has no room for more subscriptions. Try again in a minute.',
};

export interface NetworkOfSocket {
  /** Spends points of its allowance. Resolves to the seconds to wait when none are left, otherwise to undefined. */
  spend(points: number): Promise<number | undefined>;
  /** Makes room for one more subscription. */
  enter(): Held;
}

/**
 * Adapts a WebSocket to graphql-ws. Unlike the adapter of graphql-ws, it limits the types, sizes and number of messages and
 * the unsent bytes.
 */
export class BoundedSocket implements Opened, Subscriber {
  private minuteStart = performance.now();
  private messages = 0;
  private messagesAfterClose = 0;
  private pendingPing: Buffer | undefined;

  constructor(
    private readonly client: WebSocket,
    private readonly connection: Duplex,
    private readonly network: NetworkOfSocket,
    private readonly held: Held,
    private readonly onFailure: (error: unknown) => void,
  ) {
    // ws closes the socket itself after a protocol error.
    client.on('error', () => undefined);
    client.on('ping', (data: Buffer) => void this.admits(data.length));
    client.on('pong', (data: Buffer) => {
      if (this.pendingPing?.equals(data)) this.pendingPing = undefined;
      else void this.admits(data.length);
    });
  }

  get protocol(): string {
    return this.client.protocol;
  }

  /** Resolves once the message is sent. */
  async send(message: string): Promise<void> {
    // Ignore a send error: ws then closes the socket.
    if (this.canSend()) await new Promise<void>((done) => this.client.send(message, () => done()));
  }

  /** Without compression, ws sends each frame at once, so a frame of ours cannot overtake one of its own. */
  async push(frame: Buffer): Promise<void> {
    if (this.canSend()) await new Promise<void>((done) => this.connection.write(frame, () => done()));
  }

  close(code?: number, reason?: string): void {
    this.client.close(code, reason);
  }

  onMessage(handle: (message: string) => Promise<void>): void {
    this.client.on('message', (data: Buffer) => {
      this.receive(data, handle).catch((error: unknown) => {
        this.onFailure(error);
        this.close(CloseCode.InternalServerError, 'Internal server error');
      });
    });
  }

  /** Answers without the payload, because repeating it would cost more than the ping. */
  onPing(): Promise<void> {
    return this.send(JSON.stringify({ type: MessageType.Pong }));
  }

  /** Pings the client, and closes the socket when the client has not answered the last ping. */
  heartbeat(): void {
    if (this.pendingPing) return this.client.terminate();
    // A random payload proves that the client has read everything before this ping.
    this.pendingPing = randomBytes(4);
    if (this.isOpen()) this.client.ping(this.pendingPing);
  }

  private async receive(data: Buffer, handle: (message: string) => Promise<void>): Promise<void> {
    if (!(await this.admits(data.length))) return;
    const text = String(data);
    const type = typeOf(text);
    if (!CLIENT_MESSAGES.has(type)) return this.close(CloseCode.BadRequest, 'Invalid message received');
    if (type !== MessageType.Subscribe && data.length > MAX_CONTROL_BYTES) {
      return this.close(MESSAGE_TOO_BIG, `A message of the type ${String(type)} can have ${MAX_CONTROL_BYTES} bytes`);
    }
    if (type === MessageType.Subscribe) return this.subscribe(text, handle);
    // graphql-ws keeps the payload of `connection_init` as long as the socket.
    await handle(type === MessageType.ConnectionInit ? JSON.stringify({ type }) : text);
  }

  /** graphql-ws keeps the message until the subscription ends. */
  private async subscribe(text: string, handle: (message: string) => Promise<void>): Promise<void> {
    const held = this.network.enter();
    const full = held.set(SUBSCRIPTION_BYTES + 2 * text.length);
    if (full) return this.close(TRY_AGAIN_LATER, FULL[full]);
    try {
      await handle(text);
    } finally {
      held.release();
    }
  }

  /** Counts and charges a message. Returns false when the socket is closed, possibly because of this message. */
  private async admits(bytes: number): Promise<boolean> {
    if (!this.isOpen()) return this.dropLateMessage();
    const now = performance.now();
    if (now - this.minuteStart >= MINUTE_MS) {
      this.minuteStart = now;
      this.messages = 0;
    }
    this.messages += 1;
    if (this.messages > MESSAGES_PER_MINUTE) {
      this.close(POLICY_VIOLATION, `One socket may send ${MESSAGES_PER_MINUTE} messages a minute`);
      return false;
    }
    await this.charge(Math.max(1, Math.ceil(bytes / BYTES_PER_POINT)));
    return this.isOpen();
  }

  async charge(points: number): Promise<void> {
    const seconds = await this.network.spend(points);
    if (seconds === undefined) return;
    this.close(TRY_AGAIN_LATER, `Too many requests from this address. Try again in ${seconds} seconds.`);
  }

  /** Drops a message that arrives after the close. Terminates the connection of a client that keeps sending. */
  private dropLateMessage(): false {
    this.messagesAfterClose += 1;
    if (this.messagesAfterClose > MESSAGES_PER_MINUTE) this.client.terminate();
    return false;
  }

  /** Disconnects a client that reads too slowly. */
  private canSend(): boolean {
    if (!this.isOpen()) return false;
    const { bufferedAmount: unsent } = this.client;
    if (unsent <= MAX_BUFFERED_BYTES && !this.held.set(SOCKET_BYTES + unsent)) return true;
    this.client.terminate();
    return false;
  }

  private isOpen(): boolean {
    return this.client.readyState === WebSocket.OPEN;
  }
}

function typeOf(text: string): unknown {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;
  } catch {
    return undefined;
  }
}
