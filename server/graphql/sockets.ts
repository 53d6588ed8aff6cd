import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { getHeapStatistics } from 'node:v8';
import { Injectable, Logger } from '@nestjs/common';
import {
  CloseCode,
  GRAPHQL_TRANSPORT_WS_PROTOCOL,
  handleProtocols,
  MessageType,
  type Server as Protocol,
} from 'graphql-ws';
import { type VerifyClientCallbackAsync, WebSocket, WebSocketServer } from 'ws';
import { RequestAllowance } from '../limits/allowance.js';
import { type LimitReached, Places } from '../limits/places.js';
import { Env } from '../settings/env.js';
import { GRAPHQL_PATH } from '../web/answers/problems.js';
import { allowanceSpent, Refusal } from '../web/answers/refusals.js';
import { RefusalLog } from '../web/answers/refusal-log.js';
import { ClientAddress } from '../web/requests/network.js';
import { beginRequest, contextOf, type RequestContext } from '../web/requests/request.js';

const FRAMES = {
  /** Bytes of a message. Our subscription has a tenth of this. */
  maxPayload: 4 * 1024,
  /** Frames and packets of one message. Each piece needs far more memory than its bytes. */
  maxFragments: 16,
  maxBufferedChunks: 64,
  perMessageDeflate: false,
  /** Handles one message per turn of the event loop, so that a burst on one socket does not delay the others. */
  allowSynchronousEvents: false,
  /** Milliseconds that a client has to answer a close frame. */
  closeTimeout: 2_000,
};

/** The sockets of an IPv4 address or a /64 at a time. */
const SOCKETS_OF_NETWORK = 500;
/** The bytes of the heap for each socket of the server: with 256 MB there are 3,400. */
const HEAP_OF_SOCKET = 80_000;
/** Messages of one socket in a minute. The page sends two. */
const MESSAGES_PER_MINUTE = 120;
const MINUTE_MS = 60_000;
/** How many bytes of a message cost one point of the network's allowance. */
const BYTES_PER_POINT = 1_024;
/** Unsent bytes that end the socket of a slow reader. A live leaderboard needs a tenth of this. */
const MAX_UNSENT_BYTES = 32 * 1024;
/** The interval of the pings that detect dead clients. */
const HEARTBEAT_MS = 12_000;

/** Close codes of RFC 6455 and of IANA's registry. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;

const FULL: Record<LimitReached, Refusal> = {
  process: new Refusal('service_unavailable', 'This server has no room for more sockets. Try again in a minute.', {
    retryAfter: 60,
  }),
  network: new Refusal('too_many_requests', 'Too many open sockets from this address. Close some of them.'),
};

/** A socket and the network that pays for it. */
export interface Client {
  readonly socket: WebSocket;
  readonly address: string;
}

/** The WebSockets of the server, and their limits. graphql-ws speaks on them. */
@Injectable()
export class Sockets {
  private readonly logger = new Logger('Sockets');
  private readonly places = new Places(getHeapStatistics().heap_size_limit / HEAP_OF_SOCKET, SOCKETS_OF_NETWORK);
  private readonly sockets = new WebSocketServer({
    ...FRAMES,
    noServer: true,
    handleProtocols,
    verifyClient: ({ req }: { req: IncomingMessage }, answer: Parameters<VerifyClientCallbackAsync>[1]) =>
      void this.verify(req, answer),
  });

  constructor(
    private readonly addresses: ClientAddress,
    private readonly env: Env,
    private readonly allowance: RequestAllowance,
    private readonly refusals: RefusalLog,
  ) {}

  get size(): number {
    return this.sockets.clients.size;
  }

  serve(server: Server, protocol: Protocol<Client>): void {
    server.on('upgrade', (request, socket, head) => {
      if (request.headers.upgrade?.toLowerCase() !== 'websocket')
        return answerWithoutUpgrade(server, request, socket, head);
      // Before ws reads the headers.
      beginRequest(request, this.addresses);
      this.sockets.handleUpgrade(request, socket, head, (client) =>
        this.open({ socket: client, address: contextOf(request).address }, protocol),
      );
    });
  }

  /** Tells all clients to reconnect to another server. From now on ws answers upgrades with 503. */
  close(): void {
    for (const client of this.sockets.clients) client.close(GOING_AWAY, 'Going away');
    this.sockets.close();
  }

  async charge({ socket, address }: Client, points: number): Promise<void> {
    const seconds = await this.allowance.spend({ address }, points);
    if (seconds !== undefined) {
      end(socket, TRY_AGAIN_LATER, `Too many requests from this address. Try again in ${seconds} seconds.`);
    }
  }

  private async verify(request: IncomingMessage, answer: Parameters<VerifyClientCallbackAsync>[1]): Promise<void> {
    const context = contextOf(request);
    const refusal = await this.refusalOf(request, context);
    if (!refusal) return answer(true);
    const { code, message, more } = refusal;
    const status = refusal.getStatus();
    if (status === 403 || status === 429) this.refusals.note({ event: 'refused', status, code: 'socket' }, context);
    answer(false, status, JSON.stringify({ error: message, code }), {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': context.id,
      ...(more.retryAfter !== undefined && { 'Retry-After': String(more.retryAfter) }),
    });
  }

  /** Charges every request first, so that refused ones are not free. */
  private async refusalOf(
    request: IncomingMessage,
    { address, refusedHeaders }: RequestContext,
  ): Promise<Refusal | undefined> {
    const { url, headers, socket } = request;
    const { origin, 'sec-websocket-protocol': protocols = '' } = headers;
    if (refusedHeaders) return new Refusal(refusedHeaders);
    const seconds = await this.allowance.spend({ address });
    if (seconds !== undefined) return allowanceSpent('from this address', seconds);
    if (url?.split('?')[0] !== GRAPHQL_PATH) {
      return new Refusal('not_found', `This path has no socket. Connect to ${GRAPHQL_PATH}.`);
    }
    // Proxies log it, with all that it has.
    if (url.includes('?')) return new Refusal('bad_request', 'Connect without a query in the address.');
    // Browsers allow cross-origin sockets and send the page's origin. Programs send no origin.
    if (origin && origin !== this.env.publicOrigin && !this.env.corsOrigins.includes(origin)) {
      return new Refusal(
        'forbidden',
        'Pages of this origin may not open a socket. The operator can allow the origin in CORS_ORIGINS.',
      );
    }
    if (handleProtocols(protocols) === false) {
      return new Refusal('bad_request', `Offer the subprotocol ${GRAPHQL_TRANSPORT_WS_PROTOCOL}.`);
    }
    // The client has left meanwhile: ws notices.
    if (socket.destroyed) return undefined;
    const place = this.places.take(address);
    if (typeof place === 'string') return FULL[place];
    socket.once('close', place);
    return undefined;
  }

  private open(client: Client, protocol: Protocol<Client>): void {
    const { socket } = client;
    // ws closes the socket itself after a protocol error.
    socket.on('error', () => undefined);
    this.countMessages(client);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (message) => send(socket, message),
        close: (code, reason) => end(socket, code, reason),
        onMessage: (handle) =>
          socket.on('message', (data: Buffer) => {
            const text = messageIn(data);
            if (text === undefined) return end(socket, CloseCode.BadRequest, 'Invalid message received');
            handle(text).catch((error: unknown) => this.failed(socket, error));
          }),
        // Repeating the payload would cost more than the ping.
        onPing: () => send(socket, JSON.stringify({ type: MessageType.Pong })),
      },
      client,
    );
    const heartbeats = setInterval(() => heartbeat(socket), HEARTBEAT_MS);
    socket.once('close', (code, reason) => {
      clearInterval(heartbeats);
      closed(code, String(reason)).catch((error: unknown) => this.failed(socket, error));
    });
  }

  private countMessages(client: Client): void {
    const { socket } = client;
    let [since, messages] = [performance.now(), 0];
    const count = (data: Buffer) => {
      const now = performance.now();
      if (now - since >= MINUTE_MS) [since, messages] = [now, 0];
      if (++messages > MESSAGES_PER_MINUTE) {
        end(socket, POLICY_VIOLATION, `One socket may send ${MESSAGES_PER_MINUTE} messages a minute`);
      } else void this.charge(client, Math.max(1, Math.ceil(data.length / BYTES_PER_POINT)));
    };
    socket.on('message', count).on('ping', count).on('pong', count);
  }

  private failed(socket: WebSocket, error: unknown): void {
    const stack = error instanceof Error ? error.stack : String(error);
    this.logger.error({ event: 'unexpected_error', id: randomUUID() }, stack);
    end(socket, CloseCode.InternalServerError, 'Internal server error');
  }
}

/** Headers of this connection and its upgrade. */
const CONNECTION_HEADERS = new Set(['connection', 'upgrade', 'http2-settings', 'keep-alive']);

/**
 * Until Node 22.21, which ignores it itself: an offer of another protocol (curl and Java offer `h2c`). Puts the request back
 * without it, and Node parses the connection again.
 */
function answerWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!CONNECTION_HEADERS.has(rawHeaders[at]!.toLowerCase())) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  // Close the connection afterwards, because each time leaves listeners of Node on it.
  lines.push('Connection: close', '', '');
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  server.emit('connection', socket);
}

const CLIENT_MESSAGES: ReadonlySet<unknown> = new Set([
  MessageType.ConnectionInit,
  MessageType.Ping,
  MessageType.Pong,
  MessageType.Subscribe,
  MessageType.Complete,
]);

/** A message of a client without what we do not read: graphql-ws keeps all of it. Undefined where it is none. */
function messageIn(data: Buffer): string | undefined {
  try {
    const { type, id, payload } = JSON.parse(String(data)) as Record<string, unknown>;
    if (!CLIENT_MESSAGES.has(type)) return undefined;
    if (type !== MessageType.Subscribe) return JSON.stringify({ type, id });
    const { query, operationName, variables } = payload as Record<string, unknown>;
    return JSON.stringify({ type, id, payload: { query, operationName, variables } });
  } catch {
    return undefined;
  }
}

/** Resolves once the message is sent, so that a slow reader skips outdated results. Ends the socket of one who reads nothing. */
async function send(socket: WebSocket, message: string): Promise<void> {
  if (socket.readyState !== WebSocket.OPEN) return;
  if (socket.bufferedAmount > MAX_UNSENT_BYTES) return socket.terminate();
  // ws closes the socket after an error.
  await new Promise<void>((done) => socket.send(message, () => done()));
}

/** Closes a socket, and hears no more of it. */
function end(socket: WebSocket, code?: number, reason?: string): void {
  for (const event of ['message', 'ping', 'pong']) socket.removeAllListeners(event);
  socket.close(code, reason);
}

const waiting = new WeakSet<WebSocket>();

/** Pings the client, and ends the socket of one who has not answered the last ping. */
function heartbeat(socket: WebSocket): void {
  if (waiting.has(socket)) return socket.terminate();
  waiting.add(socket);
  socket.once('pong', () => waiting.delete(socket));
  if (socket.readyState === WebSocket.OPEN) socket.ping();
}
