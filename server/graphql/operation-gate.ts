import type {
  ApolloServerPlugin,
  GraphQLRequestContext,
  GraphQLRequestListener,
  GraphQLServerContext,
  HTTPGraphQLHead,
} from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type DocumentNode,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import Negotiator from 'negotiator';
import { SessionGuard, type SignedInRequest } from '../auth/sessions/session.guard.js';
import { LruCache } from '../base/lru-cache.js';
import { RETRY_AFTER } from '../database/errors.js';
import { Env } from '../settings/env.js';
import { GRAPHQL_PATH } from '../web/answers/problems.js';
import { bodyBytesOf } from '../web/body.js';
import { contextOf } from '../web/requests/request.js';
import { AUDITED, codeOf, Refusal, statusOf } from '../web/answers/refusals.js';
import { RefusalLog } from '../web/answers/refusal-log.js';
import { Admission } from '../limits/admission.js';
import { RequestAllowance } from '../limits/allowance.js';
import { type CostedOperation, MAX_VALUES, pointsFor, valuesOf } from './cost.js';
import { areOfDocument, quoteIdOf } from './errors.js';
import { takeTurns } from './turns.js';
import { maxErrors, maxTokens, overLimit } from './limits.js';

/** Our pages send about forty documents; each can take 70 kB. */
const DOCUMENTS = 100;

/** The cost of parsing and validating a document that is not known. */
const NEW_DOCUMENT_POINTS = 2;

/** How many bytes of a request cost one point, in addition to the cost of its operation. */
const BYTES_PER_POINT = 2_000;

/** Replaces a refused document, so that Apollo does no work on it. */
const EMPTY_DOCUMENT = parse('{ __typename }');

/** What can still change of an answer's head. */
interface Head {
  status?: number;
  readonly headers: { readonly set: (name: string, value: string) => unknown };
}

/** The context of an operation: the request, and the response for cookies. */
export interface Context {
  readonly req: SignedInRequest;
  readonly res: FastifyReply['raw'];
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
  /** The operations that are checked already, with the refusal. */
  private readonly checked = new WeakMap<FastifyRequest, { readonly refusal?: GraphQLError }>();

  constructor(
    private readonly allowance: RequestAllowance,
    private readonly refusals: RefusalLog,
    private readonly guard: SessionGuard,
    private readonly admission: Admission,
    private readonly env: Env,
  ) {}

  /** Fields that read the database take turns. */
  serverWillStart({ schema }: GraphQLServerContext): Promise<void> {
    takeTurns(schema, this.admission);
    return Promise.resolve();
  }

  /** A document that has been valid before. */
  documentOf(source: string): DocumentNode | undefined {
    return this.documents.get(source);
  }

  /** Checks and charges an operation of such a document. Apollo asks no second time, and tells the client a refusal. */
  async refusalOf(operation: CostedOperation, req: FastifyRequest): Promise<GraphQLError | undefined> {
    const refusal = (await this.charge(req, pointsOfSize(req))) ?? (await this.refusalOfOperation(operation, req));
    this.checked.set(req, { refusal });
    return refusal;
  }

  requestDidStart({ contextValue: { req } }: GraphQLRequestContext<Context>): Promise<GraphQLRequestListener<Context>> {
    const before = this.checked.get(req);
    let refusal = before?.refusal;
    return Promise.resolve({
      didResolveSource: async (context) => {
        const known = this.documents.get(context.source);
        if (!before) refusal = await this.refusalOfText(context.source, known, req);
        // Apollo neither parses nor validates a document that is already set here.
        const target: { document?: DocumentNode } = context;
        target.document = refusal ? EMPTY_DOCUMENT : known;
      },
      validationDidStart: ({ source }) =>
        Promise.resolve((errors?: readonly Error[]) => {
          // Locations keep every token and every comment.
          if (!errors?.length) this.documents.set(source, parse(source, { noLocation: true }));
          return Promise.resolve();
        }),
      didResolveOperation: async ({ schema, document, operation, request: { variables } }) => {
        // Apollo reports that the operation does not exist.
        if (operation && !before)
          refusal ??= await this.refusalOfOperation({ schema, document, operation, variables }, req);
        // Apollo sends a thrown error to the client only from this hook.
        if (refusal) throw refusal;
      },
      didEncounterErrors: ({ errors }) => {
        quoteIdOf(contextOf(req.raw), errors);
        return Promise.resolve();
      },
      willSendResponse: async ({ response: { body, http } }) => {
        if (body.kind !== 'single') return;
        const result = body.singleResult;
        if (result.errors && result.data === undefined) await this.lookForSignOut(result, http, req);
        this.complete(result, http, req);
      },
    });
  }

  /** Notes the errors of an answer, and tells the cost. */
  complete(result: FormattedExecutionResult, http: Head, req: FastifyRequest): void {
    if (result.errors) this.noteErrors(result.errors, http, req);
    const { spent: requested = 0, remaining } = contextOf(req.raw);
    result.extensions = { cost: { requested, left: remaining?.points ?? null } };
  }

  /**
   * Apollo refuses a malformed operation before any guard runs. The answer is 401 instead when the access token is no longer
   * valid, so that the client renews it first.
   */
  private async lookForSignOut(
    result: FormattedExecutionResult,
    http: HTTPGraphQLHead,
    req: SignedInRequest,
  ): Promise<void> {
    if (req.headers.authorization === undefined) return;
    try {
      await this.guard.requireSession(req);
    } catch (error) {
      // If the session cannot be looked up, the refusal stays.
      if (!(error instanceof Refusal) || error.getStatus() !== 401) return;
      // The log has both.
      this.noteErrors(result.errors ?? [], http, req);
      result.errors = [{ message: error.message, extensions: { code: codeOf(error).toUpperCase() } }];
      http.status = 401;
      http.headers.set('www-authenticate', 'Bearer error="invalid_token"');
    }
  }

  private noteErrors(errors: readonly GraphQLFormattedError[], http: Head, { raw }: FastifyRequest): void {
    const request = contextOf(raw);
    const codes = codesOf(errors);
    request.errorCodes = () => [...codes];
    for (const code of codes) {
      const status = statusOf(code);
      if (status === 503) http.headers.set('retry-after', RETRY_AFTER);
      if (status && AUDITED.has(status)) this.refusals.note({ event: 'refused', status, code }, request);
    }
    if (http.status === 400 && areOfDocument(codes) && knowsOnlyJson(raw)) http.status = 200;
  }

  /** Charges a text, and checks the limits of a new one. */
  private async refusalOfText(
    source: string,
    known: DocumentNode | undefined,
    request: FastifyRequest,
  ): Promise<GraphQLError | undefined> {
    const refusal = await this.charge(request, pointsOfSize(request) + (known ? 0 : NEW_DOCUMENT_POINTS));
    if (refusal || known) return refusal;
    try {
      const over = overLimit(parse(source, { maxTokens }));
      return over && asRefusal(over.message, 'GRAPHQL_VALIDATION_FAILED');
    } catch {
      // Apollo parses it again and reports the syntax error.
      return undefined;
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
    // graphql-js would go on to the 51st error, and graphql-jit to the last.
    const { schema, operation, variables } = valid;
    const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {}, { maxErrors });
    // The request limit has already charged the first point.
    const refusal = await this.charge(request, pointsFor(values) - 1);
    if (refusal || errors) return refusal ?? asRefusal(errors![0]!.message, 'BAD_USER_INPUT');
    // The operation is valid, so that its name is a field of the schema.
    contextOf(request.raw).operation = rootFieldOf(operation);
    return undefined;
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
function knowsOnlyJson(request: FastifyRequest['raw']): boolean {
  return new Negotiator(request).mediaType(['application/graphql-response+json']) === undefined;
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
