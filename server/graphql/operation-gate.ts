import type {
  ApolloServerPlugin,
  GraphQLRequestContextDidResolveOperation,
  GraphQLRequestContextDidResolveSource,
  GraphQLRequestListener,
} from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import type { FastifyRequest } from 'fastify';
import { type DocumentNode, GraphQLError, OperationTypeNode, parse } from 'graphql';
import Negotiator from 'negotiator';
import { Env } from '../settings/env.js';
import { GRAPHQL_PATH } from '../web/answers/answer-problem.js';
import { BODY_LIMIT } from '../web/requests/json-body.js';
import { AUDITED, type Code, CODES } from '../web/answers/codes.js';
import { Refusals } from '../web/answers/refusals.js';
import { RequestAllowance } from '../web/requests/request-allowance.js';
import { contextOf } from '../web/requests/request-context.js';
import { MAX_VALUES, pointsFor, valuesOf } from './cost.js';
import { DocumentCache } from './document-cache.js';
import { areOfDocument, quoteIdOf } from './errors.js';
import { maxTokens, overLimit } from './limits.js';
import { noteDeprecatedFields, operationBegins, operationEnds } from './operation-events.js';

/** The cost of parsing and validating a document that is not in the cache. */
const NEW_DOCUMENT_POINTS = 2;

/** How many bytes of a request cost one point, in addition to the cost of its operation. */
const BYTES_PER_POINT = 2_000;

/** Replaces a refused document, so that Apollo does no work on it. */
const EMPTY_DOCUMENT = parse('{ __typename }');

interface Context {
  readonly req: FastifyRequest;
}

/**
 * Checks each operation before it runs: first the limits of a document, then the allowance of its address. The limits must
 * hold before graphql validates the document; Apollo's `validationRules` would run together with graphql's own rules.
 */
@Plugin()
export class OperationGate implements ApolloServerPlugin<Context> {
  constructor(
    private readonly documents: DocumentCache,
    private readonly allowance: RequestAllowance,
    private readonly refusals: Refusals,
    private readonly env: Env,
  ) {}

  requestDidStart(): Promise<GraphQLRequestListener<Context>> {
    let refusal: GraphQLError | undefined;
    return Promise.resolve({
      didResolveSource: async (context) => {
        // Apollo neither parses nor validates a document that is already set here.
        const target: { document?: DocumentNode } = context;
        const known = this.documents.get(context.source);
        refusal = await this.refusalOfSource(context, known);
        target.document = refusal ? EMPTY_DOCUMENT : known;
      },
      validationDidStart: ({ source, document }) =>
        Promise.resolve((errors?: readonly Error[]) => {
          if (!errors?.length) this.documents.set(source, document);
          return Promise.resolve();
        }),
      didResolveOperation: async (context) => {
        refusal ??= await this.refusalOfOperation(context);
        // Apollo sends a thrown error to the client only from this hook.
        if (refusal) throw refusal;
        const { schema, document, operation, contextValue } = context;
        if (!operation) return;
        const { raw } = contextValue.req;
        operationBegins(operation, contextOf(raw));
        // Our own page changes with the server.
        if (raw.headers.origin !== this.env.publicOrigin) noteDeprecatedFields({ schema, document, operation });
      },
      didEncounterErrors: ({ errors, contextValue }) => {
        quoteIdOf(contextOf(contextValue.req.raw), errors);
        return Promise.resolve();
      },
      willSendResponse: ({ response, contextValue }) => {
        const request = contextOf(contextValue.req.raw);
        operationEnds(response, request);
        const { body } = response;
        if (body.kind === 'single') {
          const { paid: requested = 0, left } = request;
          // A copy, because the result may be kept for other requests.
          const cost = { requested, left: left?.points ?? null };
          body.singleResult = { ...body.singleResult, extensions: { cost } };
        }
        const errors = body.kind === 'single' ? (body.singleResult.errors ?? []) : [];
        const codes = new Set(errors.map(({ extensions }) => String(extensions?.code)));
        const { http } = response;
        if (http.status === 400 && areOfDocument(codes) && knowsOnlyJson(contextValue.req)) http.status = 200;
        for (const code of codes) {
          const status = statusOf(code);
          if (AUDITED.has(status)) this.refusals.note({ event: 'refused', status, code }, request);
        }
        return Promise.resolve();
      },
    });
  }

  private async refusalOfSource(
    { source, contextValue }: GraphQLRequestContextDidResolveSource<Context>,
    known: DocumentNode | undefined,
  ): Promise<GraphQLError | undefined> {
    const size = Math.floor(sizeOf(contextValue.req) / BYTES_PER_POINT);
    const refusal = await this.charge(contextValue, size + (known ? 0 : NEW_DOCUMENT_POINTS));
    if (refusal || known) return refusal;
    try {
      const over = overLimit(parse(source, { maxTokens }));
      return over && asRefusal(over.message, 'GRAPHQL_VALIDATION_FAILED');
    } catch {
      // Apollo parses it again and reports the syntax error.
      return undefined;
    }
  }

  private async refusalOfOperation({
    schema,
    document,
    operation,
    request,
    contextValue,
  }: GraphQLRequestContextDidResolveOperation<Context>): Promise<GraphQLError | undefined> {
    // Apollo reports that the operation does not exist.
    if (!operation) return undefined;
    if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
      const address = `${this.env.publicOrigin.replace(/^http/, 'ws')}${GRAPHQL_PATH}`;
      return asRefusal(
        `Subscriptions run over a WebSocket: use the graphql-transport-ws protocol at ${address}.`,
        'BAD_REQUEST',
      );
    }
    const values = valuesOf({ schema, document, operation, variables: request.variables });
    if (values > MAX_VALUES) {
      return asRefusal(
        `The response could contain ${Math.round(values)} values; the maximum is ${MAX_VALUES}. Request fewer fields or entries, or send several requests.`,
        'GRAPHQL_VALIDATION_FAILED',
      );
    }
    // The request limit has already charged the first point.
    return this.charge(contextValue, pointsFor(values) - 1);
  }

  private async charge({ req }: Context, points: number): Promise<GraphQLError | undefined> {
    const seconds = points > 0 ? await this.allowance.spend(contextOf(req.raw), points) : undefined;
    if (seconds === undefined) return undefined;
    return asRefusal(
      `Too many or too costly requests from this address. Try again in ${seconds} seconds.`,
      'TOO_MANY_REQUESTS',
      { status: 429, headers: new Map([['retry-after', String(seconds)]]) },
    );
  }
}

/** The size of the request in bytes. When it is unknown or the body is compressed, the maximum size of a body. */
function sizeOf({ headers, url, method }: FastifyRequest): number {
  if (method === 'GET') return url.length;
  return headers['content-encoding'] ? BODY_LIMIT : Number(headers['content-length'] ?? BODY_LIMIT);
}

/** Whether the client knows only the older media type, whose clients rely on 200 for every answer with `errors`. */
function knowsOnlyJson({ raw }: FastifyRequest): boolean {
  return new Negotiator(raw).mediaType(['application/graphql-response+json']) === undefined;
}

/** The status of a code in REST; 0 for one of GraphQL alone. */
function statusOf(code: string): number {
  const name = code.toLowerCase();
  return name in CODES ? CODES[name as Code][0] : 0;
}

function asRefusal(message: string, code: string, http: object = { status: 400 }): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http } });
}
