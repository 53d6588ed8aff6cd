import { randomBytes } from 'node:crypto';
import { CloseCode, MessageType, type Server } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Payer } from './shared-execution.js';

type Opened = Parameters<Server['opened']>[0];

/** Messages of one socket in a minute. The page sends two. */
const MESSAGES_PER_MINUTE = 120;
const MINUTE_MS = 60_000;
/** Bytes of a message that is no subscription. It has room for an access token. */
const MAX_CONTROL_BYTES = 2 * 1024;
/** Bytes that may wait for a slow reader when another message is to be sent. The live leaderboard has a tenth. */
const MAX_WAITING_BYTES = 128 * 1024;
/** How much of a message costs a point of its network's allowance. */
const BYTES_PER_POINT = 1024;

/** What a client may send. */
const FROM_CLIENT: ReadonlySet<unknown> = new Set([
  MessageType.ConnectionInit,
  MessageType.Ping,
  MessageType.Pong,
  MessageType.Subscribe,
  MessageType.Complete,
]);

/** RFC 6455 and IANA: the client breaks our rules, sends too much at once, or too much in this minute. */
const POLICY_VIOLATION = 1008;
const MESSAGE_TOO_BIG = 1009;
const TRY_AGAIN_LATER = 1013;

/** Takes points off a network's allowance: undefined, or the seconds until there are more. */
type Spend = (points: number) => Promise<number | undefined>;

/**
 * One socket as graphql-ws wants it, within bounds: what it may send, how often, and how much may wait for it unread.
 * graphql-ws's own version of this has none of them.
 */
export class BoundedSocket implements Opened, Payer {
  private minuteBegan = performance.now();
  private messages = 0;
  private late = 0;
  private unanswered: Buffer | undefined;

  constructor(
    private readonly client: WebSocket,
    private readonly spend: Spend,
    private readonly failed: (error: unknown) => void,
  ) {
    // ws itself closes the socket of a client that breaks its protocol.
    client.on('error', () => undefined);
    client.on('ping', (data: Buffer) => void this.admits(data.length));
    client.on('pong', (data: Buffer) => {
      if (this.unanswered?.equals(data)) this.unanswered = undefined;
      else void this.admits(data.length);
    });
  }

  get protocol(): string {
    return this.client.protocol;
  }

  /** Done when the message is on its way, so that a slow reader gets the newest and not all between. */
  async send(message: string): Promise<void> {
    if (!this.isOpen()) return;
    if (this.client.bufferedAmount > MAX_WAITING_BYTES) return this.client.terminate();
    // A message that cannot be sent has lost its socket, which is then closed.
    await new Promise<void>((done) => this.client.send(message, () => done()));
  }

  close(code?: number, reason?: string): void {
    this.client.close(code, reason);
  }

  onMessage(handle: (message: string) => Promise<void>): void {
    this.client.on('message', (data: Buffer) => {
      this.receive(data, handle).catch((error: unknown) => {
        this.failed(error);
        this.close(CloseCode.InternalServerError, 'Internal server error');
      });
    });
  }

  /** Answers without the payload: what a client makes us say again costs us more than it costs the client. */
  onPing(): Promise<void> {
    return this.send(JSON.stringify({ type: MessageType.Pong }));
  }

  /** Asks for a sign of life. Only a client that has read all before it can repeat its text: who has not since the last is gone. */
  beat(): void {
    if (this.unanswered) return this.client.terminate();
    this.unanswered = randomBytes(4);
    if (this.isOpen()) this.client.ping(this.unanswered);
  }

  private async receive(data: Buffer, handle: (message: string) => Promise<void>): Promise<void> {
    if (!(await this.admits(data.length))) return;
    const text = String(data);
    const type = typeOf(text);
    if (!FROM_CLIENT.has(type)) return this.close(CloseCode.BadRequest, 'Invalid message received');
    if (type !== MessageType.Subscribe && data.length > MAX_CONTROL_BYTES) {
      return this.close(
        MESSAGE_TOO_BIG,
        `A message of the type ${String(type)} has room for ${MAX_CONTROL_BYTES} bytes`,
      );
    }
    await handle(text);
  }

  /** Counts a message. One that comes too often closes the socket, and those that are still on the way are not read. */
  private async admits(bytes: number): Promise<boolean> {
    if (!this.isOpen()) return this.ignore();
    const now = performance.now();
    if (now - this.minuteBegan >= MINUTE_MS) {
      this.minuteBegan = now;
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
    const seconds = await this.spend(points);
    if (seconds === undefined) return;
    this.close(TRY_AGAIN_LATER, `Too many requests from this address. Try again in ${seconds} seconds.`);
  }

  /** What was on the way when the socket was closed. A client that does not stop then does not get to say goodbye. */
  private ignore(): false {
    this.late += 1;
    if (this.late > MESSAGES_PER_MINUTE) this.client.terminate();
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
