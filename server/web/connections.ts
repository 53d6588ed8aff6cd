import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { requestsRefused } from '../limits/refused.js';

/** While the server stops: the time for the first request of a new connection, in milliseconds. A proxy has opened it for one. */
const FIRST_REQUEST_MS = 500;
/** While the server stops: the time to accept the connections that wait, in milliseconds. A flood of new ones has no end. */
const ACCEPT_MS = 1_000;

/** The requests of a connection that may wait for their answers. Browsers and proxies send the next one after the answer. */
const MOST_UNANSWERED = 20;

interface Connection {
  readonly answers: Set<ServerResponse>;
  /** The bytes read up to the end of the last request. More bytes belong to a request that has begun. */
  bytesOfRequests: number;
  last?: IncomingMessage;
}

/** The connections of a server, which it can close without losing a request. Sockets close themselves. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private state: 'open' | 'draining' | 'closing' = 'open';
  private accepted = 0;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => this.add(socket));
    // Before the listener that answers.
    server.prependListener('request', (request: IncomingMessage, answer: ServerResponse) =>
      this.begin(request, answer),
    );
    server.prependListener('upgrade', ({ socket }: IncomingMessage) => void this.open.delete(socket));
  }

  /** From now on, each answer closes its connection, so that clients open the next one elsewhere. */
  drain(): void {
    this.state = 'draining';
    for (const { answers } of this.open.values()) for (const answer of answers) answer.shouldKeepAlive = false;
  }

  /**
   * Reads what has arrived. Then it accepts no more connections, closes idle ones, and lets the requests in progress finish.
   * @returns the number of connections that it has cut after `limit` milliseconds
   */
  async close(limit: number): Promise<number> {
    const end = performance.now() + limit;
    this.drain();
    await this.takeWaiting();
    this.state = 'closing';
    const closed = new Promise<void>((done) => this.server.close(() => done()));
    this.closeIdle((socket) => socket.bytesRead > 0);
    const forUnused = setTimeout(() => this.closeIdle(() => true), FIRST_REQUEST_MS);
    let cut = 0;
    const forAll = setTimeout(() => {
      cut = this.open.size;
      for (const socket of this.open.keys()) socket.destroy();
    }, end - performance.now());
    await closed;
    clearTimeout(forUnused);
    clearTimeout(forAll);
    return cut;
  }

  /**
   * Accepts the connections and reads the requests that wait in the kernel, because closing resets them. A busy server has
   * some: Node accepts one connection in each turn of its event loop.
   */
  private async takeWaiting(): Promise<void> {
    const deadline = performance.now() + ACCEPT_MS;
    let before: number;
    do {
      before = this.accepted;
      // The first turn may already be past its input.
      await endOfTurn();
      await endOfTurn();
    } while (this.accepted > before && performance.now() < deadline);
  }

  private closeIdle(which: (socket: Socket) => boolean): void {
    for (const [socket, { answers, bytesOfRequests, last }] of this.open) {
      // The rest of an answered request does not count.
      const isIdle = answers.size === 0 && (socket.bytesRead === bytesOfRequests || last?.complete === false);
      if (isIdle && which(socket)) socket.destroySoon();
    }
  }

  private add(socket: Socket): void {
    this.accepted += 1;
    const connection: Connection = { answers: new Set(), bytesOfRequests: 0 };
    this.open.set(socket, connection);
    socket.once('close', () => {
      this.open.delete(socket);
      // Node tells only the answer whose turn it is. The answers behind it would wait for ever, with their places and their log.
      setImmediate(() => connection.answers.forEach((answer) => answer.emit('close')));
    });
  }

  private begin(request: IncomingMessage, answer: ServerResponse): void {
    const { socket } = request;
    const connection = this.open.get(socket);
    if (!connection || socket.destroyed) return;
    if (this.state !== 'open') answer.shouldKeepAlive = false;
    connection.answers.add(answer);
    // `maxRequestsPerSocket` of Node counts the answered ones too.
    if (connection.answers.size > MOST_UNANSWERED) {
      requestsRefused.publish({ event: 'refused', status: 429, code: 'too_many_unanswered' });
      socket.destroy();
    }
    connection.last = request;
    const count = () => (connection.bytesOfRequests = socket.bytesRead);
    request.once('close', count);
    answer.once('close', () => {
      count();
      connection.answers.delete(answer);
      if (this.state === 'closing' && connection.answers.size === 0) socket.destroySoon();
    });
  }
}
