import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApolloServer, HeaderMap } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import Negotiator from 'negotiator';
import { contextOf, jsonBodyOf, type RequestContext } from '../web/requests/request.js';
import { BUILT_CLIENT } from '../settings/folders.js';
import { type Charged, type Context, OperationGate } from './operation-gate.js';
import { quoteIdOf } from './errors.js';

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

/** The media types of an answer, as Apollo writes them. */
const TYPES: Readonly<Record<string, string>> = {
  'application/json': 'application/json; charset=utf-8',
  'application/graphql-response+json': 'application/graphql-response+json; charset=utf-8',
};

interface Options {
  readonly schema: GraphQLSchema;
  readonly gate: Pick<OperationGate, 'knownDocument' | 'admit' | 'complete'>;
  readonly operations: PageOperations;
  readonly formatError: (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;
}

/**
 * Executes operations by POST whose document the gate has let through before. Apollo's pipeline would negotiate, hash and call
 * its hooks for each of them, which takes an eighth of a request. Apollo answers all that is new, rare or refused. Hooks of plugins do not
 * run here: `SignedOutFirst` needs only answers without `data`, and those are Apollo's.
 */
class KnownOperations {
  constructor(private readonly options: Options) {}

  /** @returns the body of the answer, whose headers are set; without it, Apollo has to answer, and maybe to charge */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ readonly body?: string; readonly charged?: Charged }> {
    const { schema, gate } = this.options;
    const asked = request.method === 'POST' ? askedBy(jsonBodyOf(request)) : undefined;
    const document = asked && gate.knownDocument(asked.source);
    const operation = document && getOperationAST(document, asked.operationName);
    const type = operation && mediaTypeFor(request);
    if (!type || operation.operation === OperationTypeNode.SUBSCRIPTION) return {};

    const { source, operationName, variables } = asked;
    const charged = await gate.admit({ schema, document, operation, variables }, request);
    if (charged.refusal) return { charged };
    const contextValue = { req: request, res: reply.raw };
    const args = { schema, document, operationName, variableValues: variables, contextValue };
    const result = await this.options.operations.execute(source, args);
    // Wrong variables: nothing was executed.
    if (!('data' in result)) return { charged };
    reply.header('Cache-Control', 'no-store').header('Content-Type', type);
    const { errors, data, extensions } = gate.complete(this.formatted(result, request), request);
    // Apollo ends its answers with a new line, too.
    return { body: `${JSON.stringify({ errors, data, extensions })}\n` };
  }

  private formatted({ errors, data }: ExecutionResult, { raw }: FastifyRequest) {
    if (!errors) return { data };
    quoteIdOf(contextOf(raw), errors);
    return { data, errors: errors.map((error) => this.options.formatError(withCode(error), error)) };
  }
}

function withCode(error: GraphQLError): GraphQLFormattedError {
  return { ...error.toJSON(), extensions: { code: 'INTERNAL_SERVER_ERROR', ...error.extensions } };
}

interface Asked {
  readonly source: string;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a body asks in the usual form, where null may stand for an absent member. Undefined for any other body. */
function askedBy(body: unknown): Asked | undefined {
  const { query: source, operationName: name, variables: given, extensions } = body as Record<string, unknown>;
  const [operationName, variables] = [name ?? undefined, given ?? undefined];
  if (typeof source !== 'string' || (extensions ?? undefined) !== undefined) return undefined;
  if (operationName !== undefined && typeof operationName !== 'string') return undefined;
  if (variables !== undefined && !isRecord(variables)) return undefined;
  return { source, operationName, variables };
}

function mediaTypeFor({ headers: { accept } }: FastifyRequest): string | undefined {
  const type = accept ? new Negotiator({ headers: { accept } }).mediaType(Object.keys(TYPES)) : 'application/json';
  return type && TYPES[type];
}

/** The build lists the operations of our own pages, in the text that they send (scripts/build/page-operations.js). */
function listedOperations(): ReadonlySet<string> {
  const list = join(BUILT_CLIENT, '.vite/operations.json');
  // In development, Vite serves the page, and there may be no build.
  return new Set(existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as string[]) : []);
}

/**
 * Executes operations. Those of our own pages are compiled when they first come: graphql-js would look at each field of a document
 * again for each request. Nobody else's document is compiled, because that takes some milliseconds and its code stays in memory.
 */
export class PageOperations {
  private readonly compiled = new Map<string, CompiledQuery | undefined>();

  /** @param ours the texts that may be compiled */
  constructor(private readonly ours: ReadonlySet<string>) {}

  /** @returns a result without `data` when the variables are wrong */
  async execute(source: string, operation: ExecutionArgs): Promise<ExecutionResult> {
    const compiled = this.ours.has(source) ? this.compiledOf(source, operation) : undefined;
    if (!compiled) return execute(operation);
    return compiled.query(undefined, operation.contextValue, operation.variableValues);
  }

  private compiledOf(source: string, { schema, document }: ExecutionArgs): CompiledQuery | undefined {
    if (!this.compiled.has(source)) {
      // A document of our pages has one operation.
      const made = compileQuery(schema, document);
      this.compiled.set(source, isCompiledQuery(made) ? made : undefined);
    }
    return this.compiled.get(source);
  }
}
