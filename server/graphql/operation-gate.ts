import type { ApolloServerPlugin, GraphQLRequestContext, GraphQLRequestListener } from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type DocumentNode,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import Negotiator from 'negotiator';
import { LruCache } from '../base/lru-cache.js';
import { RETRY_AFTER } from '../database/errors.js';
import { Env } from '../settings/env.js';
import { GRAPHQL_PATH } from '../web/answers/problems.js';
import { bodyBytesOf, contextOf } from '../web/requests/request.js';
import { AUDITED, statusOf } from '../web/answers/refusals.js';
import { RefusalLog } from '../web/answers/refusal-log.js';
import { RequestAllowance } from '../web/requests/request-allowance.js';
import { type CostedOperation, MAX_VALUES, pointsFor, valuesOf } from './cost.js';
import { areOfDocument, quoteIdOf } from './errors.js';
import { maxTokens, overLimit } from './limits.js';

/** Our pages send about forty documents; each can take 70 kB. */
const DOCUMENTS = 100;

/** The cost of parsing and validating a document that is not known. */
const NEW_DOCUMENT_POINTS = 2;

/** How many bytes of a request cost one point, in addition to the cost of its operation. */
const BYTES_PER_POINT = 2_000;

/** Replaces a refused document, so that Apollo does no work on it. */
const EMPTY_DOCUMENT = parse('{ __typename }');

/** An operation that has been charged. It may run unless it is refused. */
export interface Charged {
  readonly refusal?: GraphQLError;
}

/** The context of an operation: the request, and the response for cookies. */
export interface Context {
  readonly req: FastifyRequest;
  readonly res: FastifyReply['raw'];
  /** Apollo answers an operation that was charged before. */
  readonly charged?: Charged;
}

/**
 * Checks each operation before it runs: it charges the bytes and a new text, checks the limits of that text, and charges the
 * cost of the operation. The limits must hold before graphql validates the document; Apollo's `validationRules` would run
 * together with graphql's own rules.
 */
@Plugin()
export class OperationGate implements ApolloServerPlugin<Context> {
  /** The newest valid documents, by their text. Each is within the limits of `limits.ts`. */
  private readonly documents = new LruCache<DocumentNode>(DOCUMENTS);

  constructor(
    private readonly allowance: RequestAllowance,
    private readonly refusals: RefusalLog,
    private readonly env: Env,
  ) {}

  knownDocument(source: string): DocumentNode | undefined {
    return this.documents.get(source);
  }

  /**
   * Charges an operation and names it for the log.
   * @param text the charge of its text; without it, the text is known and is charged now
   */
  async admit(operation: CostedOperation, request: FastifyRequest, text?: Charged): Promise<Charged> {
    const refusal =
      (text ?? (await this.chargeKnown(request))).refusal ?? (await this.refusalOfOperation(operation, request));
    // The operation is valid, so that its name is a field of the schema.
    if (!refusal) contextOf(request.raw).operation = rootFieldOf(operation.operation);
    return { refusal };
  }

  /** Ends an operation. @returns its result with the cost */
  complete(
    result: FormattedExecutionResult,
    req: FastifyRequest,
    errors = () => result.errors,
  ): FormattedExecutionResult {
    const request = contextOf(req.raw);
    if (errors()) request.errorCodes = () => [...codesOf(errors())];
    for (const code of codesOf(result.errors)) {
      const status = statusOf(code);
      if (status === 503) request.response?.setHeader('Retry-After', RETRY_AFTER);
      if (status && AUDITED.has(status)) this.refusals.note({ event: 'refused', status, code }, request);
    }
    const { paid: requested = 0, left } = request;
    return { ...result, extensions: { cost: { requested, left: left?.points ?? null } } };
  }

  requestDidStart({ contextValue }: GraphQLRequestContext<Context>): Promise<GraphQLRequestListener<Context>> {
    const { req, charged: before } = contextValue;
    let charged = before;
    return Promise.resolve({
      didResolveSource: async (context) => {
        // Apollo neither parses nor validates a document that is already set here.
        const target: { document?: DocumentNode } = context;
        const known = this.documents.get(context.source);
        charged ??= await (known ? this.chargeKnown(req) : this.chargeNew(context.source, req));
        target.document = charged.refusal ? EMPTY_DOCUMENT : known;
      },
      validationDidStart: ({ source }) =>
        Promise.resolve((errors?: readonly Error[]) => {
          // Locations keep every token and every comment.
          if (!errors?.length) this.documents.set(source, parse(source, { noLocation: true }));
          return Promise.resolve();
        }),
      didResolveOperation: async ({ schema, document, operation, request: { variables } }) => {
        // Apollo reports that the operation does not exist.
        if (operation && !before) charged = await this.admit({ schema, document, operation, variables }, req, charged);
        // Apollo sends a thrown error to the client only from this hook.
        if (charged?.refusal) throw charged.refusal;
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

  private async chargeKnown(request: FastifyRequest): Promise<Charged> {
    return { refusal: await this.charge(request, pointsOfSize(request)) };
  }

  private async chargeNew(source: string, request: FastifyRequest): Promise<Charged> {
    const refusal = await this.charge(request, pointsOfSize(request) + NEW_DOCUMENT_POINTS);
    if (refusal) return { refusal };
    try {
      const over = overLimit(parse(source, { maxTokens }));
      return { refusal: over && asRefusal(over.message, 'GRAPHQL_VALIDATION_FAILED') };
    } catch {
      // Apollo parses it again and reports the syntax error.
      return {};
    }
  }

  private async refusalOfOperation(valid: CostedOperation, request: FastifyRequest): Promise<GraphQLError | undefined> {
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
    return this.charge(request, pointsFor(values) - 1);
  }

  private async charge({ raw }: FastifyRequest, points: number): Promise<GraphQLError | undefined> {
    const seconds = points > 0 ? await this.allowance.spend(contextOf(raw), points) : undefined;
    if (seconds === undefined) return undefined;
    return asRefusal(
      `Too many or too costly requests from this address. Try again in ${seconds} seconds.`,
      'TOO_MANY_REQUESTS',
      { status: 429, headers: new Map([['retry-after', String(seconds)]]) },
    );
  }
}

const pointsOfSize = ({ method, url, raw }: FastifyRequest): number =>
  Math.floor((method === 'GET' ? url.length : bodyBytesOf(raw)) / BYTES_PER_POINT);

/** Whether the client knows only the older media type, whose clients rely on 200 for every answer with `errors`. */
function knowsOnlyJson({ raw }: FastifyRequest): boolean {
  return new Negotiator(raw).mediaType(['application/graphql-response+json']) === undefined;
}

function asRefusal(message: string, code: string, http: object = { status: 400 }): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http } });
}

const codesOf = (errors: readonly GraphQLFormattedError[] | undefined): ReadonlySet<string> =>
  new Set(errors?.map(({ extensions }) => (typeof extensions?.code === 'string' ? extensions.code : 'UNKNOWN')));

/** The root field. A client chooses the operation's own name, which could be anything. */
function rootFieldOf({ selectionSet: { selections } }: OperationDefinitionNode): string {
  const fields = selections.map((node) => (node.kind === Kind.FIELD ? node.name.value : 'several'));
  const [name = 'several', ...others] = new Set(
    fields.map((field) => (field.startsWith('__') ? 'introspection' : field)),
  );
  return others.length > 0 ? 'several' : name;
}
