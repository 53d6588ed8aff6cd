import { ApolloServer, HeaderMap } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import { KnownOperations, listedOperations, PageOperations } from './known-operations.js';
import { type Context, OperationGate } from './operation-gate.js';
import { jsonBodyOf } from '../web/requests/json-body.js';
import { contextOf, type RequestContext } from '../web/requests/request-context.js';

/**
 * Serves Apollo Server on Fastify. The usual integration builds a URL from the Host header, and throws when a client sends a
 * malformed one.
 */
@Injectable()
export class GraphQLDriver extends ApolloDriver {
  protected override async registerFastify({ path, ...rest }: ApolloDriverConfig): Promise<void> {
    const { httpAdapter } = this.httpAdapterHost;
    const options = rest as ConstructorParameters<typeof ApolloServer<Context>>[0];
    const server = new ApolloServer<Context>({
      ...options,
      plugins: [
        ...(options.plugins ?? []),
        // It wraps every field to compute a header that is the same for all answers.
        ApolloServerPluginCacheControlDisabled(),
      ],
    });
    await server.start();
    const known = new KnownOperations({
      schema: options.schema!,
      formatError: options.formatError!,
      gate: options.plugins!.find((plugin) => plugin instanceof OperationGate)!,
      operations: new PageOperations(listedOperations()),
    });
    httpAdapter.getInstance<FastifyInstance>().route({
      url: path!,
      method: ['GET', 'POST'],
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const { body, charged } = await known.answer(request, reply);
        return body ?? (await executeWithApollo(server, { req: request, res: reply.raw, charged }, reply));
      },
    });
    this.apolloServer = server as unknown as ApolloServer;
  }
}

async function executeWithApollo(
  server: ApolloServer<Context>,
  context: Context,
  reply: FastifyReply,
): Promise<string> {
  const request = context.req;
  const {
    headers,
    body,
    status = 200,
  } = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: request.method,
      headers: headersOf(request),
      search: searchOf(request),
      body: jsonBodyOf(request),
    },
    context: () => Promise.resolve(context),
  });
  reply.code(status).header('Cache-Control', 'no-store').headers(Object.fromEntries(headers));
  if (body.kind !== 'complete') throw new Error('Answers in parts are off');
  return status < 400 ? body.string : withRequestId(body.string, contextOf(request.raw));
}

/** Apollo answers a request without an operation before it knows the request's context: see `quoteIdOf` for the others. */
function withRequestId(answer: string, { id }: RequestContext): string {
  const { errors, ...rest } = JSON.parse(answer) as { errors: readonly GraphQLFormattedError[] };
  const identified = errors.map((error) => ({ ...error, extensions: { ...error.extensions, requestId: id } }));
  return JSON.stringify({ errors: identified, ...rest });
}

function headersOf({ headers }: FastifyRequest): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return map;
}

function searchOf({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}
