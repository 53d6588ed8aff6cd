import type {
  ApolloServerPlugin,
  GraphQLRequestContext,
  GraphQLRequestListener,
  HTTPGraphQLHead,
} from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  GraphQLError,
  type GraphQLFormattedError,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import Negotiator from 'negotiator';
import { RequestSessions, type SignedInRequest } from '../auth/sessions/request-sessions.service.js';
import { Env } from '../settings/env.js';
import { GRAPHQL_PATH, headersOf } from '../web/answers/problems.js';
import { allowanceSpent, AUDITED, Refusal, statusOf } from '../web/answers/refusals.js';
import { RefusalLog } from '../web/answers/refusal-log.js';
import { RequestAllowance } from '../limits/allowance.js';
import { bodyBytesOf } from '../limits/node.js';
import { CostlyWork } from '../limits/turns.js';
import { MAX_VALUES, NEW_DOCUMENT_POINTS, pointsFor, valuesOf } from './cost.js';
import { areOfDocument, asRefusal, safeError } from './errors.js';

/** From here on an operation is costly. The page's top ten has two points: in turns, it takes a quarter more of the processor. */
const COSTLY_POINTS = 3;

/** How many bytes of a request cost one point, in addition to the cost of its operation. */
const BYTES_PER_POINT = 2_000;

/** What graphql says after `maxErrors` errors. */
const GIVEN_UP = 'Too many validation errors, error limit reached. Validation aborted.';

/** The context of an operation: the request, and the reply for cookies. */
export interface Context {
  readonly req: SignedInRequest;
  readonly reply: FastifyReply;
}

/**
 * What an operation passes before it runs, in this order:
 * 1. its bytes are charged,
 * 2. a new document is charged, and checked by the limits of `document-limits.ts` and the rules of graphql,
 * 3. its variables are checked, and its cost is charged,
 * 4. if it is refused until here, a client whose session has ended hears that first.
 */
@Plugin()
export class OperationGate implements ApolloServerPlugin<Context> {
  constructor(
    private readonly allowance: RequestAllowance,
    private readonly refusals: RefusalLog,
    private readonly sessions: RequestSessions,
    private readonly costly: CostlyWork,
    private readonly env: Env,
  ) {}

  requestDidStart({
    contextValue: { req, reply },
  }: GraphQLRequestContext<Context>): Promise<GraphQLRequestListener<Context>> {
    let retryAfter: number | undefined;
    const charge = (points: number) => {
      if (points > 0) retryAfter ??= this.allowance.spend(req.context, points);
    };
    // Never for a client that has left: then nothing keeps the operation.
    const turn = () => new Promise<void>((begin) => this.costly.begin(req.context.address, reply.raw, begin));
    charge(pointsOfSize(req));
    return Promise.resolve({
      parsingDidStart: () => {
        charge(NEW_DOCUMENT_POINTS);
        return turn();
      },
      // Apollo sends a thrown error to the client only from this hook.
      didResolveOperation: async ({ schema, document, operation, request: { variables } }) => {
        // Apollo reports that the operation does not exist.
        if (!operation) return;
        if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
          const address = `${this.env.publicOrigin.replace(/^http/, 'ws')}${GRAPHQL_PATH}`;
          const sentence = `Subscriptions run over a WebSocket: use the graphql-transport-ws protocol at ${address}.`;
          throw asRefusal(sentence, 'BAD_REQUEST');
        }
        const points = pointsFor(boundedValuesOf({ schema, document, operation, variables }));
        // The request limit has already charged the first point.
        charge(points - 1);
        if (retryAfter !== undefined) throw allowanceSpent('from this address', retryAfter);
        if (points >= COSTLY_POINTS) await turn();
        req.context.operation = rootFieldOf(operation);
      },
      willSendResponse: async ({ errors: [thrown] = [], response: { body, http } }) => {
        if (body.kind !== 'single') return;
        const result = body.singleResult;
        if (result.errors && result.data === undefined) {
          // `withinLimits` repeats its error until graphql gives up, and a client needs it once.
          const errors = new Map(result.errors.map((error) => [error.message, error]));
          errors.delete(GIVEN_UP);
          result.errors = [...errors.values()];
          const signedOut = await this.signOutOf(req);
          if (signedOut) {
            // The log has the first refusal too.
            this.noteErrors(result.errors, http, req);
            const error = new GraphQLError(signedOut.message, { originalError: signedOut });
            result.errors = [safeError(error.toJSON(), error)];
          }
          const refusal = signedOut ?? thrown?.originalError;
          if (refusal instanceof Refusal) {
            http.status = refusal.getStatus();
            setFields(http, req, refusal);
          }
        }
        if (result.errors) this.noteErrors(result.errors, http, req);
        const { spent: requested = 0, remaining } = req.context;
        result.extensions = { cost: { requested, left: remaining ?? null } };
      },
    });
  }

  /**
   * Apollo refuses a malformed operation before any guard runs. The answer is 401 instead when the access token is no longer
   * valid, so that the client renews it first.
   */
  private async signOutOf(req: SignedInRequest): Promise<Refusal | undefined> {
    if (req.headers.authorization === undefined) return undefined;
    const ended: unknown = await this.sessions.of(req).then(
      () => undefined,
      (error: unknown) => error,
    );
    // If the session cannot be looked up, the refusal stays.
    return ended instanceof Refusal && ended.getStatus() === 401 ? ended : undefined;
  }

  private noteErrors(errors: readonly GraphQLFormattedError[], http: HTTPGraphQLHead, req: FastifyRequest): void {
    const { context: request } = req;
    const codes = new Set(errors.map(({ extensions }) => String(extensions!.code)));
    request.errorCodes = () => [...codes];
    for (const code of codes) {
      const status = statusOf(code);
      if (status === 503) setFields(http, req, new Refusal('service_unavailable'));
      if (status && AUDITED.has(status)) this.refusals.note({ event: 'refused', status, code }, request);
    }
    // Clients of the older media type rely on 200 for every answer with `errors`.
    const knowsOnlyJson = () => new Negotiator(req).mediaType(['application/graphql-response+json']) === undefined;
    if (http.status === 400 && areOfDocument(codes) && knowsOnlyJson()) http.status = 200;
  }
}

function setFields({ headers }: HTTPGraphQLHead, request: FastifyRequest, refusal: Refusal): void {
  for (const [name, value] of Object.entries(headersOf(refusal, request.headers))) headers.set(name, value);
}

const pointsOfSize = ({ method, url, raw }: FastifyRequest): number =>
  Math.floor((method === 'GET' ? url.length : bodyBytesOf(raw)) / BYTES_PER_POINT);

/** The root field. A client chooses the operation's own name, which could be anything. */
function rootFieldOf({ selectionSet: { selections } }: OperationDefinitionNode): string {
  const fields = selections.map((node) => (node.kind === Kind.FIELD ? node.name.value : 'several'));
  const [name, other] = new Set(fields.map((field) => field.replace(/^__.*/, 'introspection')));
  return other ? 'several' : name!;
}

function boundedValuesOf(operation: Parameters<typeof valuesOf>[0]): number {
  const values = valuesOf(operation);
  if (values <= MAX_VALUES) return values;
  throw asRefusal(
    `The response could contain ${Math.round(values)} values; the maximum is ${MAX_VALUES}. Request fewer fields or entries, or send several requests.`,
  );
}
