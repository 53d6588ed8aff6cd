import type {
  ApolloServerPlugin,
  GraphQLRequestContext,
  GraphQLRequestContextDidResolveSource,
  GraphQLRequestListener,
} from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import type { FastifyRequest } from 'fastify';
import { type DocumentNode, type FormattedExecutionResult, GraphQLError, OperationTypeNode, parse } from 'graphql';
import Negotiator from 'negotiator';
import { Env } from '../settings/env.js';
import { GRAPHQL_PATH } from '../web/answers/answer-problem.js';
import { BODY_LIMIT } from '../web/requests/json-body.js';
import { AUDITED, type Code, CODES } from '../web/answers/codes.js';
import { Refusals } from '../web/answers/refusals.js';
import { RequestAllowance } from '../web/requests/request-allowance.js';
import { contextOf } from '../web/requests/request-context.js';
import { type CostedOperation, MAX_VALUES, pointsFor, valuesOf } from './cost.js';
import { DocumentCache } from './document-cache.js';
import { areOfDocument, quoteIdOf } from './errors.js';
import { maxTokens, overLimit } from './limits.js';
import { codesOf, operationBegins, operationEnds } from './operation-events.js';

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

  /** The document of this text, if it has passed before. */
  knownDocument(source: string): DocumentNode | undefined {
    return this.documents.get(source);
  }

  /** Charges an operation of a known document. @returns whether it may run; if not, Apollo answers with the refusal */
  async admits(valid: CostedOperation, req: FastifyRequest): Promise<boolean> {
    const refusal = (await this.charge({ req }, pointsOfSize(req))) ?? (await this.refusalOfOperation(valid, { req }));
    if (refusal) this.leaveToApollo(req, refusal);
    else operationBegins(valid.operation, contextOf(req.raw));
    return !refusal;
  }

  /** Apollo answers a request that is charged. */
  leaveToApollo({ raw }: FastifyRequest, refusal?: GraphQLError): void {
    contextOf(raw).charged = { refusal };
  }

  /** Ends an operation. @returns its result with the cost */
  complete(
    result: FormattedExecutionResult,
    req: FastifyRequest,
    errors = () => result.errors,
  ): FormattedExecutionResult {
    const request = contextOf(req.raw);
    operationEnds(errors, request);
    for (const code of codesOf(result.errors)) {
      const status = statusOf(code);
      if (AUDITED.has(status)) this.refusals.note({ event: 'refused', status, code }, request);
    }
    const { paid: requested = 0, left } = request;
    return { ...result, extensions: { cost: { requested, left: left?.points ?? null } } };
  }

  requestDidStart({ contextValue: { req } }: GraphQLRequestContext<Context>): Promise<GraphQLRequestListener<Context>> {
    const { charged } = contextOf(req.raw);
    let refusal = charged?.refusal;
    return Promise.resolve({
      didResolveSource: async (context) => {
        // Apollo neither parses nor validates a document that is already set here.
        const target: { document?: DocumentNode } = context;
        const known = this.documents.get(context.source);
        if (!charged) refusal = await this.refusalOfSource(context, known);
        target.document = refusal ? EMPTY_DOCUMENT : known;
      },
      validationDidStart: ({ source }) =>
        Promise.resolve((errors?: readonly Error[]) => {
          // Locations keep every token and every comment.
          if (!errors?.length) this.documents.set(source, parse(source, { noLocation: true }));
          return Promise.resolve();
        }),
      didResolveOperation: async (context) => {
        const { schema, document, operation, request } = context;
        const valid = operation && { schema, document, operation, variables: request.variables };
        // Apollo reports that the operation does not exist.
        if (valid && !charged) refusal ??= await this.refusalOfOperation(valid, { req });
        // Apollo sends a thrown error to the client only from this hook.
        if (refusal) throw refusal;
        if (valid && !charged) operationBegins(valid.operation, contextOf(req.raw));
      },
      didEncounterErrors: ({ errors }) => {
        quoteIdOf(contextOf(req.raw), errors);
        return Promise.resolve();
      },
      willSendResponse: ({ response: { body, http } }) => {
        if (body.kind !== 'single') return Promise.resolve();
        // `SignedOutFirst` can still replace the errors.
        body.singleResult = this.complete(body.singleResult, req, () => body.singleResult.errors);
        const codes = codesOf(body.singleResult.errors);
        if (http.status === 400 && areOfDocument(codes) && knowsOnlyJson(req)) http.status = 200;
        return Promise.resolve();
      },
    });
  }

  private async refusalOfSource(
    { source, contextValue }: GraphQLRequestContextDidResolveSource<Context>,
    known: DocumentNode | undefined,
  ): Promise<GraphQLError | undefined> {
    const points = pointsOfSize(contextValue.req) + (known ? 0 : NEW_DOCUMENT_POINTS);
    const refusal = await this.charge(contextValue, points);
    if (refusal || known) return refusal;
    try {
      const over = overLimit(parse(source, { maxTokens }));
      return over && asRefusal(over.message, 'GRAPHQL_VALIDATION_FAILED');
    } catch {
      // Apollo parses it again and reports the syntax error.
      return undefined;
    }
  }

  private async refusalOfOperation(valid: CostedOperation, contextValue: Context): Promise<GraphQLError | undefined> {
    if (valid.operation.operation === OperationTypeNode.SUBSCRIPTION) {
      const address = `${this.env.publicOrigin.replace(/^http/, 'ws')}${GRAPHQL_PATH}`;
      return asRefusal(
        `Subscriptions run over a WebSocket: use the graphql-transport-ws protocol at ${address}.`,
        'BAD_REQUEST',
      );
    }
    const values = valuesOf(valid);
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

const pointsOfSize = (request: FastifyRequest): number => Math.floor(sizeOf(request) / BYTES_PER_POINT);

/** The size of the request in bytes. When it is unknown, the maximum size of a body. */
function sizeOf({ headers, url, method }: FastifyRequest): number {
  return method === 'GET' ? url.length : Number(headers['content-length'] ?? BODY_LIMIT);
}

/** Whether the client knows only the older media type, whose clients rely on 200 for every answer with `errors`. */
function knowsOnlyJson({ raw }: FastifyRequest): boolean {
  return new Negotiator(raw).mediaType(['application/graphql-response+json']) === undefined;
}

/** The status of a code in REST; 0 for one of GraphQL alone. */
function statusOf(code: string): number {
  const name = code.toLowerCase();
  return name in CODES ? CODES[name as Code] : 0;
}

function asRefusal(message: string, code: string, http: object = { status: 400 }): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http } });
}
