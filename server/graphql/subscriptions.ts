import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { type ExecutionArgs, getOperationAST, GraphQLError, OperationTypeNode, parse } from 'graphql';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL, type SubscribePayload } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { Express, Request } from 'express';
import { Env } from '../env.js';
import { networkOf } from '../web/network.js';
import { safeError } from './errors.js';
import { maxTokens, problemsOf } from './limits.js';

const PATH = '/graphql';
/** Bytes of one message from a client. A subscription of ours needs a hundredth. */
const MAX_MESSAGE = 16 * 1024;
/** Sockets of one process, sockets of one network (a school behind one address has many), subscriptions of one socket. */
const MAX_SOCKETS = 5_000;
const MAX_SOCKETS_OF_NETWORK = 500;
const MAX_SUBSCRIPTIONS = 5;

/**
 * Subscriptions over graphql-ws. Nest's own set-up takes messages of 100 MB, any operation and any origin, so this one
 * stands in its place: subscriptions only, under the same limits as other operations, from our own pages only.
 */
@Injectable()
export class Subscriptions implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE });
  private readonly networks = new Map<string, number>();
  private stop: (() => Promise<void> | void) | undefined;

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly schemaHost: GraphQLSchemaHost,
    private readonly env: Env,
  ) {}

  onApplicationBootstrap(): void {
    const server = useServer(
      {
        onSubscribe: (context, _id, payload) => {
          if (Object.keys(context.subscriptions).length > MAX_SUBSCRIPTIONS) {
            return [new GraphQLError(`One socket has room for ${MAX_SUBSCRIPTIONS} subscriptions.`)];
          }
          return this.prepare(payload);
        },
        onNext: (_context, _id, _payload, _args, result) =>
          result.errors
            ? { ...result, errors: result.errors.map((error) => safeError(error.toJSON(), error)) }
            : undefined,
      },
      this.sockets,
    );
    this.stop = () => server.dispose();
    const httpServer = this.http.httpAdapter.getHttpServer() as HttpServer;
    httpServer.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.upgrade(request, socket, head),
    );
  }

  /** Tells every client that the server goes, so that it comes back to the next one. Who does not answer is not waited for. */
  onModuleDestroy(): void {
    void this.stop?.();
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const refuse = (status: string) =>
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    const { origin, 'sec-websocket-protocol': protocols = '' } = request.headers;
    if (request.url?.split('?')[0] !== PATH) return void refuse('404 Not Found');
    // A page elsewhere may open a socket to us, and the browser sends its origin with it. Programs send none.
    if (origin && origin !== this.env.publicOrigin && !this.env.corsOrigins.includes(origin)) {
      return void refuse('403 Forbidden');
    }
    if (!protocols.split(',').some((protocol) => protocol.trim() === GRAPHQL_TRANSPORT_WS_PROTOCOL)) {
      return void refuse('400 Bad Request');
    }
    if (this.sockets.clients.size >= MAX_SOCKETS) return void refuse('503 Service Unavailable');
    const network = this.networkOf(request);
    if (this.socketsOf(network) >= MAX_SOCKETS_OF_NETWORK) return void refuse('429 Too Many Requests');
    this.sockets.handleUpgrade(request, socket, head, (client) => {
      this.networks.set(network, this.socketsOf(network) + 1);
      client.once('close', () => {
        this.networks.set(network, this.socketsOf(network) - 1);
        if (this.socketsOf(network) === 0) this.networks.delete(network);
      });
      this.sockets.emit('connection', client, request);
    });
  }

  private socketsOf(network: string): number {
    return this.networks.get(network) ?? 0;
  }

  /** Where it comes from, as Express reads it for other requests: behind a trusted proxy, what that says. */
  private networkOf(request: IncomingMessage): string {
    const { request: prototype } = this.http.httpAdapter.getInstance<Express>();
    return networkOf((Object.setPrototypeOf(request, prototype) as Request).ip ?? '');
  }

  private prepare({ query, variables, operationName }: SubscribePayload): ExecutionArgs | readonly GraphQLError[] {
    const { schema } = this.schemaHost;
    try {
      const document = parse(query, { maxTokens });
      const errors = problemsOf(schema, document);
      if (errors.length > 0) return errors;
      if (getOperationAST(document, operationName)?.operation !== OperationTypeNode.SUBSCRIPTION) {
        return [new GraphQLError('Only subscriptions run over a socket: send queries and mutations by POST.')];
      }
      return { schema, document, operationName, variableValues: variables };
    } catch (error) {
      return [error instanceof GraphQLError ? error : new GraphQLError('The operation cannot be read.')];
    }
  }
}
