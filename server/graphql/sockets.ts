import type { Server } from 'node:http';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { MessageType, type SubscribePayload } from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { type VerifyClientCallbackAsync, WebSocketServer } from 'ws';
import { ObservedValue } from '../base/events.js';
import { Derived, LruCache } from '../base/lru-cache.js';
import { Shutdown } from '../base/shutdown.js';
import { CostlyWork } from '../limits/turns.js';
import { NEW_DOCUMENT_POINTS, valuesOf } from './cost.js';
import { maxErrors, withinLimits } from './document-limits.js';
import { asRefusal, safeError } from './errors.js';
import { endSlowReader, limitMessages, MAX_MESSAGE_BYTES } from './socket-limits.js';
import { contextOf, SocketUpgrades } from './socket-upgrades.service.js';

const FRAMES = {
  maxPayload: MAX_MESSAGE_BYTES,
  /** Frames and packets of one message. Each piece needs far more memory than its bytes. */
  maxFragments: 16,
  maxBufferedChunks: 64,
  perMessageDeflate: false,
  // `limitMessages` ends a flood of pings with a reason.
  maxPendingAutoPongs: 0,
  /** Milliseconds that a client has to answer a close frame. */
  closeTimeout: 2_000,
};

export const openSockets = new ObservedValue<number>();

const MAX_SUBSCRIPTIONS = 5;
/** The largest answer of a subscription, in values: the top ten with all fields needs 121. */
const MAX_PUSHED_VALUES = 170;
/** Every subscription keeps its document. The live top ten with all fields has 40 tokens. */
const MAX_TOKENS = 150;
/** Sockets that send the same text share its document, and its result for each event. */
const DOCUMENTS = 100;

/** WebSockets by ws and graphql-ws, with limits. Nest's own integration accepts messages of 100 MB and every origin. */
@Injectable()
export class Sockets implements OnApplicationBootstrap {
  private readonly documents = new LruCache<DocumentNode>(DOCUMENTS);
  private readonly results = new Derived<object, DocumentNode, Promise<ExecutionResult>>(DOCUMENTS);
  private readonly sockets = new WebSocketServer({
    noServer: true,
    verifyClient: (({ req }, answer) => this.upgrades.verify(req, answer)) satisfies VerifyClientCallbackAsync,
    ...FRAMES,
  });

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly schemaHost: GraphQLSchemaHost,
    private readonly upgrades: SocketUpgrades,
    private readonly costly: CostlyWork,
    private readonly shutdown: Shutdown,
  ) {}

  onApplicationBootstrap(): void {
    openSockets.offer('graphql', () => this.sockets.clients.size);
    const protocol = useServer<Record<string, unknown>>(
      {
        jsonMessageReviver: onlyWhatIsRead,
        onSubscribe: ({ subscriptions, extra }, _id, payload) =>
          Object.keys(subscriptions).length > MAX_SUBSCRIPTIONS
            ? [asRefusal(`One socket can have ${MAX_SUBSCRIPTIONS} subscriptions.`)]
            : this.prepare(payload, extra),
        subscribe: (args) => this.subscribe(args),
        onNext: ({ extra: { socket } }, _id, _payload, _args, { errors, ...result }) => {
          endSlowReader(socket);
          return errors && { ...result, errors: errors.map((error) => safeError(error.toJSON(), error)) };
        },
        onError: (_context, _id, _payload, errors) => errors.map((error) => safeError(error.toJSON(), error)),
      },
      this.sockets,
    );
    // Tells all clients to reconnect to another server. From now on ws answers upgrades with 503.
    this.shutdown.onClose(() => void protocol.dispose());
    this.sockets.on('connection', (socket, request) => {
      // graphql-ws writes the errors of clients to the console. ws closes the socket itself.
      socket.removeAllListeners('error').on('error', () => undefined);
      // After our last frame, the 64 KiB that Node read last would stay until the client ends the connection.
      request.socket.once('finish', () => request.socket.destroy());
      limitMessages(socket, request.socket, (points) => this.upgrades.charge(socket, request, points));
    });
    const server = this.http.httpAdapter.getHttpServer() as Server;
    server.on('upgrade', (request, socket, head) => {
      // Before ws reads the headers.
      this.upgrades.begin(request);
      this.sockets.handleUpgrade(request, socket, head, (client) => this.sockets.emit('connection', client, request));
    });
  }

  /** @returns the arguments of the execution, or the error for the client */
  private async prepare(payload: SubscribePayload, contextValue: Extra): Promise<ExecutionArgs | GraphQLError[]> {
    // ws still reads the messages that came together with a fault.
    if (contextValue.socket.readyState !== contextValue.socket.OPEN) return [asRefusal('The socket is closed.')];
    const { query, operationName, variables } = payload;
    // graphql-ws keeps the payload until the subscription ends.
    Object.assign(payload, { query: '', operationName: undefined, variables: undefined });
    const { schema } = this.schemaHost;
    try {
      const document = this.documents.get(query) ?? (await this.newDocument(query, contextValue));
      const operation = getOperationAST(document, operationName);
      if (!operation)
        throw asRefusal('operationName must name one operation of the document.', 'OPERATION_RESOLUTION_FAILURE');
      if (operation.operation !== OperationTypeNode.SUBSCRIPTION)
        throw asRefusal('Only subscriptions run over a socket: send queries and mutations by POST.', 'BAD_REQUEST');
      const values = valuesOf({ schema, document, operation, variables });
      if (values > MAX_PUSHED_VALUES) {
        throw asRefusal(
          `Each response could contain ${values} values; the maximum is ${MAX_PUSHED_VALUES}. Request fewer fields.`,
        );
      }
      return { schema, document, operationName, variableValues: variables, contextValue };
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      // Only an error of the syntax has no code.
      return [error.extensions.code ? error : asRefusal(error.message, 'GRAPHQL_PARSE_FAILED')];
    }
  }

  private async newDocument(query: string, { socket, request }: Extra): Promise<DocumentNode> {
    this.upgrades.charge(socket, request, NEW_DOCUMENT_POINTS);
    await new Promise<void>((begin) => this.costly.begin(contextOf(request).address, socket, begin));
    if (socket.readyState !== socket.OPEN) throw asRefusal('The socket is closed.');
    // Locations keep every token and every comment.
    const document = parse(query, { maxTokens: MAX_TOKENS, noLocation: true });
    const [error] = validate(this.schemaHost.schema, document, [...specifiedRules, withinLimits], { maxErrors });
    if (error) throw asRefusal(error.message);
    this.documents.set(query, document);
    return document;
  }

  /** As graphql does, but each event is executed once for all sockets with the same document. The first of them pays. */
  private async subscribe(args: ExecutionArgs): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
    const events = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in events)) return events;
    const iterator = (events as AsyncIterable<object>)[Symbol.asyncIterator]();
    const results: AsyncIterableIterator<ExecutionResult> = {
      next: async () => {
        const event = await iterator.next();
        return event.done ? event : { value: await this.resultOf(args, event.value) };
      },
      return: () => iterator.return!() as Promise<IteratorResult<ExecutionResult>>,
      [Symbol.asyncIterator]: () => results,
    };
    return results;
  }

  private resultOf(args: ExecutionArgs, event: object): Promise<ExecutionResult> {
    const { document, variableValues, operationName, contextValue } = args;
    const work = async () => {
      const { socket, request } = contextValue as Extra;
      this.upgrades.charge(socket, request, 1);
      return execute({ ...args, rootValue: event });
    };
    // Variables and the choice of an operation can change the result of the same document.
    const isShared = Object.keys(variableValues ?? {}).length === 0 && !operationName;
    return isShared ? this.results.of(event, document, work) : work();
  }
}

const OF_SERVERS: ReadonlySet<unknown> = new Set([MessageType.ConnectionAck, MessageType.Next, MessageType.Error]);

/**
 * A message of a client without what we do not read, because graphql-ws keeps all of it.
 * @throws for a message that only servers send, which graphql-ws would take for a fault of our own
 */
function onlyWhatIsRead(key: string, value: unknown): unknown {
  if (key !== '') return value;
  const { type, id, payload } = value as Record<string, unknown>;
  if (OF_SERVERS.has(type)) throw new Error('No message of a client.');
  if (type !== MessageType.Subscribe) return { type, id };
  const { query, operationName, variables } = payload as Record<string, unknown>;
  return { type, id, payload: { query, operationName, variables } };
}
