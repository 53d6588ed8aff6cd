import type {
  ApolloServerPlugin,
  GraphQLRequestContextDidResolveOperation,
  GraphQLRequestContextDidResolveSource,
  GraphQLRequestListener,
} from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import type { Request } from 'express';
import { type DocumentNode, GraphQLError, OperationTypeNode, parse } from 'graphql';
import { Env } from '../env.js';
import { BODY_LIMIT } from '../web/body-limit.js';
import { Refusals } from '../web/refusals.js';
import { RequestAllowance } from '../web/request-allowance.js';
import { MAX_VALUES, pointsFor, valuesOf } from './cost.js';
import { maxTokens, overLimit } from './limits.js';
import { Recent } from './recent.js';
import { GRAPHQL_PATH } from './requests.js';

/** Documents that are kept parsed and validated: ours are a dozen, and each may take a quarter of a megabyte. */
const DOCUMENTS = 100;

/** What it costs to read and validate a document that is not among them. */
const NEW_DOCUMENT_POINTS = 2;

/** A request costs one point for each so many bytes, beside what its operation costs. */
const BYTES_A_POINT = 2_000;

/** Stands in for a document that is refused, so that nothing is done with the one that was sent. */
const NOTHING = parse('{ __typename }');

/** The codes that an audit wants to see, and what they would be over REST. */
const STATUSES: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  RECENT_SIGN_IN_REQUIRED: 403,
  TOO_MANY_REQUESTS: 429,
  EXPORT_UNDER_WAY: 429,
  TOO_MANY_EXPORTS: 429,
};

interface Context {
  readonly req: Request;
}

/**
 * What an operation passes before it runs: the limits, before graphql's own validation, and the allowance of its address,
 * charged by what the operation costs. Apollo's `validationRules` would come too late: they run beside graphql's own.
 */
@Plugin()
export class OperationGate implements ApolloServerPlugin<Context> {
  private readonly documents = new Recent<DocumentNode>(DOCUMENTS);

  constructor(
    private readonly allowance: RequestAllowance,
    private readonly refusals: Refusals,
    private readonly env: Env,
  ) {}

  requestDidStart(): Promise<GraphQLRequestListener<Context>> {
    let refusal: GraphQLError | undefined;
    return Promise.resolve({
      didResolveSource: async (context) => {
        // A document that stands here is neither parsed nor validated by Apollo.
        const target: { document?: DocumentNode } = context;
        const known = this.documents.get(context.queryHash);
        refusal = await this.refusalOfText(context, known);
        target.document = refusal ? NOTHING : known;
      },
      validationDidStart: ({ queryHash, document }) =>
        Promise.resolve((errors?: readonly Error[]) => {
          if (!errors?.length) this.documents.set(queryHash, document);
          return Promise.resolve();
        }),
      didResolveOperation: async (context) => {
        refusal ??= await this.refusalOfOperation(context);
        // Only here does Apollo answer with what is thrown.
        if (refusal) throw refusal;
      },
      willSendResponse: ({ response: { body } }) => {
        const errors = body.kind === 'single' ? (body.singleResult.errors ?? []) : [];
        for (const code of new Set(errors.map(({ extensions }) => String(extensions?.code)))) {
          if (STATUSES[code]) this.refusals.note({ event: 'refused', status: STATUSES[code], code });
        }
        return Promise.resolve();
      },
    });
  }

  private async refusalOfText(
    { source, contextValue }: GraphQLRequestContextDidResolveSource<Context>,
    known: DocumentNode | undefined,
  ): Promise<GraphQLError | undefined> {
    const size = Math.floor(sizeOf(contextValue.req) / BYTES_A_POINT);
    const refusal = await this.charge(contextValue, size + (known ? 0 : NEW_DOCUMENT_POINTS));
    if (refusal || known) return refusal;
    try {
      const over = overLimit(parse(source, { maxTokens }));
      return over && asRefusal(over.message, 'GRAPHQL_VALIDATION_FAILED', 400);
    } catch {
      // Apollo reads it once more and says what is wrong.
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
    // No operation of that name: Apollo says so.
    if (!operation) return undefined;
    if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
      const address = `${this.env.publicOrigin.replace(/^http/, 'ws')}${GRAPHQL_PATH}`;
      return asRefusal(
        `Subscriptions run over a WebSocket: use the graphql-transport-ws protocol at ${address}.`,
        'BAD_REQUEST',
        400,
      );
    }
    const values = valuesOf({ schema, document, operation, variables: request.variables });
    if (values > MAX_VALUES) {
      return asRefusal(
        `The answer could hold ${Math.round(values)} values, and at most ${MAX_VALUES} are allowed. Ask for less, or in several requests.`,
        'GRAPHQL_VALIDATION_FAILED',
        400,
      );
    }
    // The request itself has cost the first point.
    return this.charge(contextValue, pointsFor(values) - 1);
  }

  private async charge({ req }: Context, points: number): Promise<GraphQLError | undefined> {
    const seconds = points > 0 ? await this.allowance.spend(req.ip ?? '', points) : undefined;
    if (seconds === undefined) return undefined;
    return asRefusal(
      `Too many or too costly requests from this address. Try again in ${seconds} seconds.`,
      'TOO_MANY_REQUESTS',
      429,
      new Map([['retry-after', String(seconds)]]),
    );
  }
}

/** Bytes of the request; where it does not say, or comes compressed, the most that a body may have. */
function sizeOf({ headers, url, method }: Request): number {
  if (method === 'GET') return url.length;
  return headers['content-encoding'] ? BODY_LIMIT : Number(headers['content-length'] ?? BODY_LIMIT);
}

function asRefusal(
  message: string,
  code: string,
  status: number,
  headers: ReadonlyMap<string, string> = new Map(),
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status, headers } } });
}
