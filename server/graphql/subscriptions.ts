import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { type DocumentNode, getOperationAST, GraphQLError, OperationTypeNode, parse } from 'graphql';
import { handleProtocols, makeServer, type SubscribePayload } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { Refusals } from '../web/refusals.js';
import { RequestAllowance } from '../web/request-allowance.js';
import { inRequestContext } from '../web/request-context.js';
import { valuesOf } from './cost.js';
import { safeError } from './errors.js';
import { maxTokens, problemsOf } from './limits.js';
import { Recent } from './recent.js';
import { Admission } from './sockets/admission.js';
import { BoundedSocket } from './sockets/bounded-socket.js';
import { refuse } from './sockets/refusal.js';
import { type Payer, type SharedArgs, SharedExecution } from './sockets/shared-execution.js';
import { answerWithoutUpgrade, offersWebSocket } from './sockets/without-upgrade.js';

const MAX_SUBSCRIPTIONS = 5;
/** What one answer may hold, as values: the top ten with all of its fields. It is made whenever the board changes. */
const MAX_PUSHED_VALUES = 200;
/** Documents that are kept parsed. The page has one. */
const DOCUMENTS = 100;
/** How often a client must show that it is there and reads. */
const BEAT_MS = 12_000;
const GOING_AWAY = 1001;

/** The bounds that ws keeps for us. */
const BOUNDS = {
  /** Bytes of one message from a client. A subscription of ours needs a hundredth. */
  maxPayload: 16 * 1024,
  /** Into how many frames and packets a message may be cut: each piece costs far more memory than its bytes. */
  maxFragments: 16,
  maxBufferedChunks: 256,
  /** One message for each turn of the event loop, so that a burst on one socket lets the others' through. */
  allowSynchronousEvents: false,
  /** Milliseconds until a client that does not answer the end is cut off. */
  closeTimeout: 2_000,
};

/**
 * Subscriptions over graphql-ws. Nest's own set-up takes messages of 100 MB, any operation and any origin, so this one
 * stands in its place: subscriptions only, under the same limits as other operations, from our own pages only, each
 * socket within bounds.
 */
@Injectable()
export class Subscriptions implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Sockets');
  private readonly sockets = new WebSocketServer({ ...BOUNDS, noServer: true, handleProtocols });
  private readonly execution = new SharedExecution();
  /** Sockets that ask with the same text share its document, and so the answers. */
  private readonly documents = new Recent<DocumentNode>(DOCUMENTS);
  private readonly graphql = makeServer<Record<string, unknown> | undefined, Payer>({
    subscribe: (args) => this.execution.subscribe(args as SharedArgs),
    onSubscribe: (context, _id, payload) => {
      if (Object.keys(context.subscriptions).length > MAX_SUBSCRIPTIONS) {
        return [new GraphQLError(`One socket has room for ${MAX_SUBSCRIPTIONS} subscriptions.`)];
      }
      return this.prepare(payload, context.extra);
    },
    onNext: (_context, _id, _payload, _args, result) =>
      result.errors ? { ...result, errors: result.errors.map((error) => safeError(error.toJSON(), error)) } : undefined,
  });

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly schemaHost: GraphQLSchemaHost,
    private readonly admission: Admission,
    private readonly allowance: RequestAllowance,
    private readonly refusals: Refusals,
  ) {}

  onApplicationBootstrap(): void {
    const server = this.http.httpAdapter.getHttpServer() as HttpServer;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const address = this.admission.addressOf(request);
      if (!offersWebSocket(request)) {
        // It is charged again as the request that it becomes; a refusal here must not be free.
        void this.allowance.spend(address);
        return answerWithoutUpgrade(server, request, socket, head);
      }
      inRequestContext(address, () => this.upgrade(address, request, socket, head)).catch((error: unknown) => {
        socket.destroy();
        this.failed(error);
      });
    });
  }

  /** Tells every client that the server goes, so that it comes back to the next one. Who does not answer is not waited for. */
  onModuleDestroy(): void {
    for (const client of this.sockets.clients) client.close(GOING_AWAY, 'Going away');
    this.sockets.close();
  }

  private async upgrade(address: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const refusal = await this.admission.refusalOf(address, request, socket);
    if (refusal) {
      const { status } = refusal;
      if (status === 403 || status === 429) this.refusals.note({ event: 'refused', status, code: 'socket' });
      return refuse(socket, refusal);
    }
    this.sockets.handleUpgrade(request, socket, head, (client) => this.open(client, address));
  }

  private open(client: WebSocket, address: string): void {
    const socket = new BoundedSocket(
      client,
      (points) => this.allowance.spend(address, points),
      (error) => this.failed(error),
    );
    const closed = this.graphql.opened(socket, socket);
    const beats = setInterval(() => socket.beat(), BEAT_MS);
    client.once('close', (code, reason) => {
      clearInterval(beats);
      closed(code, String(reason)).catch((error: unknown) => this.failed(error));
    });
  }

  private failed(error: unknown): void {
    this.logger.error(
      { event: 'unexpected_error', id: randomUUID() },
      error instanceof Error ? error.stack : String(error),
    );
  }

  private prepare(
    { query, variables, operationName }: SubscribePayload,
    payer: Payer,
  ): SharedArgs | readonly GraphQLError[] {
    const { schema } = this.schemaHost;
    try {
      const known = this.documents.get(query);
      const document = known ?? parse(query, { maxTokens });
      const errors = known ? [] : problemsOf(schema, document);
      if (errors.length > 0) return errors;
      this.documents.set(query, document);
      const operation = getOperationAST(document, operationName);
      if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) {
        return [new GraphQLError('Only subscriptions run over a socket: send queries and mutations by POST.')];
      }
      const values = valuesOf({ schema, document, operation, variables: variables ?? {} });
      if (values > MAX_PUSHED_VALUES) {
        return [
          new GraphQLError(
            `Each answer could hold ${values} values, and at most ${MAX_PUSHED_VALUES} are allowed. Ask for fewer fields.`,
          ),
        ];
      }
      return { schema, document, operationName, variableValues: variables, contextValue: payer };
    } catch (error) {
      return [error instanceof GraphQLError ? error : new GraphQLError('The operation cannot be read.')];
    }
  }
}
