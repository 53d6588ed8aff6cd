import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  type DocumentNode,
  type ExecutionResult,
  type FormattedExecutionResult,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  parse,
} from 'graphql';
import { handleProtocols, makeServer, type SubscribePayload } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { LruCache } from '../base/lru-cache.js';
import { ObservedValue } from '../base/events.js';
import { Shutdown } from '../base/shutdown.js';
import { hasTooManyHeaders, TOO_MANY_HEADERS } from '../web/connections.js';
import { type Held, HeldBytes, type Room } from '../web/requests/held-bytes.js';
import { RequestAllowance } from '../web/requests/request-allowance.js';
import { beginRequest, type RequestContext } from '../web/requests/request.js';
import { valuesOf } from './cost.js';
import { safeError } from './errors.js';
import { problemsOf } from './limits.js';
import { Admission, answerWithoutUpgrade, offersWebSocket, refuse } from './sockets/admission.js';
import { BoundedSocket } from './sockets/bounded-socket.js';
import { type SharedArgs, SharedExecution, type Subscriber } from './sockets/shared-execution.js';

export const openSockets = new ObservedValue<number>();

const MAX_SUBSCRIPTIONS = 5;
/** The interval of the pings that detect dead clients. */
const HEARTBEAT_MS = 12_000;
const GOING_AWAY = 1001;

const WS_LIMITS = {
  /** Bytes of one message from a client. Our subscription needs a hundredth of this. */
  maxPayload: 16 * 1024,
  /** Frames and packets of one message. Each piece needs far more memory than its bytes. */
  maxFragments: 16,
  maxBufferedChunks: 256,
  /** Handle one message per turn of the event loop, so that a burst on one socket does not delay the others. */
  allowSynchronousEvents: false,
  /** Milliseconds that a client has to answer a close frame. */
  closeTimeout: 2_000,
};

/**
 * Serves subscriptions over graphql-ws. Nest's own integration accepts messages of 100 MB, every operation and every origin.
 * This one accepts only subscriptions, only from allowed origins, and limits documents and sockets.
 */
@Injectable()
export class Subscriptions implements OnApplicationBootstrap {
  private readonly logger = new Logger('Sockets');
  private readonly operations: SubscriptionOperations;
  private readonly room: Room;
  private readonly sockets = new WebSocketServer({ ...WS_LIMITS, noServer: true, handleProtocols });
  private readonly execution = new SharedExecution(safeResult);
  private readonly graphql = makeServer<Record<string, unknown> | undefined, Subscriber>({
    subscribe: (args) => this.execution.subscribe(args as SharedArgs),
    onSubscribe: (context, id, payload) => {
      if (Object.keys(context.subscriptions).length > MAX_SUBSCRIPTIONS) {
        return [new GraphQLError(`One socket can have ${MAX_SUBSCRIPTIONS} subscriptions.`)];
      }
      const args = this.operations.prepare(payload, id, context.extra);
      // graphql-ws keeps the payload until the subscription ends.
      Object.assign(payload, { query: '', variables: undefined, extensions: undefined });
      return args;
    },
    // Only an operation that cannot start: the others push their results.
    onNext: (_context, _id, _payload, _args, result) => safeResult(result),
  });

  constructor(
    private readonly http: HttpAdapterHost,
    schema: GraphQLSchemaHost,
    private readonly admission: Admission,
    private readonly allowance: RequestAllowance,
    heldBytes: HeldBytes,
    shutdown: Shutdown,
  ) {
    this.operations = new SubscriptionOperations(schema);
    this.room = heldBytes.sockets;
    shutdown.onClose(() => this.close());
  }

  onApplicationBootstrap(): void {
    openSockets.offer('graphql', () => this.sockets.clients.size);
    const server = this.http.httpAdapter.getHttpServer() as HttpServer;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (hasTooManyHeaders(request)) {
        socket.on('error', () => socket.destroy());
        return refuse(socket, randomUUID(), TOO_MANY_HEADERS);
      }
      const address = this.admission.addressOf(request);
      if (!offersWebSocket(request)) {
        // The ignored upgrade becomes a request that is charged again. Charge here too, because it can be refused before.
        void this.allowance.spend({ address });
        return answerWithoutUpgrade(server, request, socket, head);
      }
      this.upgrade(beginRequest(request, address), request, socket, head).catch((error: unknown) => {
        socket.destroy();
        this.failed(error);
      });
    });
  }

  /** Tells all clients to reconnect to another server. From now on ws answers upgrades with 503. */
  private close(): void {
    for (const client of this.sockets.clients) client.close(GOING_AWAY, 'Going away');
    this.sockets.close();
  }

  private async upgrade(
    context: RequestContext,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    socket.on('error', () => socket.destroy());
    const held = this.room.enter(context.address);
    socket.once('close', () => held.release());
    const refusal = await this.admission.refusalOf(context, request, held);
    if (refusal) return refuse(socket, context.id, refusal);
    this.sockets.handleUpgrade(request, socket, head, (client) => this.open(client, socket, context.address, held));
  }

  private open(client: WebSocket, connection: Duplex, address: string, held: Held): void {
    const socket = new BoundedSocket(
      client,
      connection,
      { spend: (points) => this.allowance.spend({ address }, points), enter: () => this.room.enter(address) },
      held,
      (error) => this.failed(error),
    );
    const closed = this.graphql.opened(socket, socket);
    const heartbeats = setInterval(() => socket.heartbeat(), HEARTBEAT_MS);
    client.once('close', (code, reason) => {
      clearInterval(heartbeats);
      closed(code, String(reason)).catch((error: unknown) => this.failed(error));
    });
  }

  private failed(error: unknown): void {
    this.logger.error(
      { event: 'unexpected_error', id: randomUUID() },
      error instanceof Error ? error.stack : String(error),
    );
  }
}

function safeResult({ errors, ...result }: ExecutionResult): FormattedExecutionResult {
  return errors ? { ...result, errors: errors.map((error) => safeError(error.toJSON(), error)) } : result;
}

/** The largest response of a subscription, in values: the top ten with all fields. */
const MAX_PUSHED_VALUES = 200;

/** Every subscription keeps its document. The live top ten with all fields has 40 tokens. */
const MAX_TOKENS = 150;

/** Sockets that send the same text share its document, and with it the executions. */
const DOCUMENTS = 100;

/** Checks each subscription before it starts: its document, its kind and its cost. */
class SubscriptionOperations {
  private readonly documents = new LruCache<DocumentNode>(DOCUMENTS);

  constructor(private readonly schemaHost: GraphQLSchemaHost) {}

  /** @returns the arguments of the execution, or the errors for the client */
  prepare(payload: SubscribePayload, id: string, socket: Subscriber): SharedArgs | readonly GraphQLError[] {
    try {
      const document = this.documentOf(payload.query);
      return 'kind' in document ? this.argsOf(payload, document, id, socket) : document;
    } catch (error) {
      return [error instanceof GraphQLError ? error : new GraphQLError('The server cannot parse the operation.')];
    }
  }

  private documentOf(query: string): DocumentNode | readonly GraphQLError[] {
    const known = this.documents.get(query);
    if (known) return known;
    const errors = problemsOf(this.schemaHost.schema, parse(query, { maxTokens: MAX_TOKENS }));
    if (errors.length > 0) return errors;
    // Locations keep every token and every comment.
    const document = parse(query, { noLocation: true });
    this.documents.set(query, document);
    return document;
  }

  private argsOf(
    { variables, operationName }: SubscribePayload,
    document: DocumentNode,
    id: string,
    contextValue: Subscriber,
  ): SharedArgs | readonly GraphQLError[] {
    const { schema } = this.schemaHost;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) {
      return [new GraphQLError('Only subscriptions run over a socket: send queries and mutations by POST.')];
    }
    const values = valuesOf({ schema, document, operation, variables: variables ?? {} });
    if (values > MAX_PUSHED_VALUES) {
      return [
        new GraphQLError(
          `Each response could contain ${values} values; the maximum is ${MAX_PUSHED_VALUES}. Request fewer fields.`,
        ),
      ];
    }
    const declared = operation.variableDefinitions?.map(({ variable: { name } }) => name.value);
    const kept = Object.entries(variables ?? {}).filter(([name]) => declared?.includes(name));
    return { id, schema, document, operationName, variableValues: Object.fromEntries(kept), contextValue };
  }
}
