import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type ExecutionResult,
  getOperationAST,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import Negotiator from 'negotiator';
import { jsonBodyOf } from '../web/requests/json-body.js';
import { contextOf } from '../web/requests/request-context.js';
import { quoteIdOf } from './errors.js';
import type { OperationGate } from './operation-gate.js';
import type { PageOperations } from './page-operations.js';

/** The media types of an answer, as Apollo writes them. */
const TYPES: Readonly<Record<string, string>> = {
  'application/json': 'application/json; charset=utf-8',
  'application/graphql-response+json': 'application/graphql-response+json; charset=utf-8',
};

interface Options {
  readonly schema: GraphQLSchema;
  readonly gate: Pick<OperationGate, 'knownDocument' | 'admits' | 'leaveToApollo' | 'complete'>;
  readonly operations: PageOperations;
  readonly formatError: (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;
}

/**
 * Executes operations by POST whose document the gate has let through before. Apollo's pipeline would negotiate, hash and call
 * its hooks for each of them, which takes an eighth of a request. Apollo answers all that is new, rare or refused. Hooks of plugins do not
 * run here: `SignedOutFirst` needs only answers without `data`, and those are Apollo's.
 */
export class KnownOperations {
  constructor(private readonly options: Options) {}

  /** @returns the body of the answer, whose headers are set; undefined when Apollo has to answer */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
    const { schema, gate } = this.options;
    const asked = request.method === 'POST' ? askedBy(jsonBodyOf(request)) : undefined;
    const document = asked && gate.knownDocument(asked.source);
    const operation = document && getOperationAST(document, asked.operationName);
    const type = operation && mediaTypeFor(request);
    if (!type || operation.operation === OperationTypeNode.SUBSCRIPTION) return undefined;

    const { source, operationName, variables } = asked;
    if (!(await gate.admits({ schema, document, operation, variables }, request))) return undefined;
    const contextValue = { req: request, res: reply.raw };
    const args = { schema, document, operationName, variableValues: variables, contextValue };
    const result = await this.options.operations.execute(source, args);
    if ('data' in result) {
      reply.header('Cache-Control', 'no-store').header('Content-Type', type);
      const { errors, data, extensions } = gate.complete(this.formatted(result, request), request);
      // Apollo ends its answers with a new line, too.
      return `${JSON.stringify({ errors, data, extensions })}\n`;
    }
    // Wrong variables: nothing was executed.
    gate.leaveToApollo(request);
    return undefined;
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
