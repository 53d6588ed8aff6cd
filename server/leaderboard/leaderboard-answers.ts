import type { ApolloServerPlugin, GraphQLRequestContext, GraphQLRequestListener } from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import type { FastifyRequest } from 'fastify';
import { type FormattedExecutionResult, Kind } from 'graphql';
import { LruCache } from '../base/lru-cache.js';
import type { Entries } from './cached-entries.js';

/** How many answers stay in memory. The page sends one operation with few limits. */
const ANSWERS = 50;
/** The longest key in characters. A longer operation name or variable is not worth the memory. */
const MAX_KEY = 500;

interface Context {
  readonly req: FastifyRequest;
}

/** Finds the entries for a request. The same array as before means that nothing has changed. */
type ReadEntries = (request: FastifyRequest) => Promise<Entries>;

interface Answer {
  readonly read: ReadEntries;
  readonly entries: Entries;
  readonly result: FormattedExecutionResult;
}

/**
 * Keeps GraphQL answers that contain the leaderboard alone. While the entries in memory are the same, the operation need not
 * run again. All checks of an operation come before.
 */
@Plugin()
export class LeaderboardAnswers implements ApolloServerPlugin<Context> {
  private readonly answers = new LruCache<Answer>(ANSWERS);
  private readonly reads = new WeakMap<FastifyRequest, Pick<Answer, 'read' | 'entries'>>();
  /** Reads that check a kept answer. If the answer is out of date, the operation takes the entries of this read. */
  private readonly begun = new WeakMap<FastifyRequest, Promise<Entries>>();

  /** Reads the entries for a request, and remembers how. */
  async read(request: FastifyRequest, read: ReadEntries): Promise<Entries> {
    const entries = await (this.begun.get(request) ?? read(request));
    this.reads.set(request, { read, entries });
    return entries;
  }

  /** The answer of the request holds more than the leaderboard. */
  forget(request: FastifyRequest): void {
    this.reads.delete(request);
  }

  requestDidStart(): Promise<GraphQLRequestListener<Context>> {
    let key: string | undefined;
    return Promise.resolve({
      responseForOperation: async (context) => {
        key = keyOf(context);
        const known = key === undefined ? undefined : this.answers.get(key);
        if (!known) return null;
        const { req } = context.contextValue;
        const begun = known.read(req);
        this.begun.set(req, begun);
        // The operation reports the error.
        const entries = await begun.catch(() => undefined);
        if (entries !== known.entries) return null;
        key = undefined;
        return { http: context.response.http, body: { kind: 'single', singleResult: known.result } };
      },
      willSendResponse: ({ contextValue, response: { body } }) => {
        const read = this.reads.get(contextValue.req);
        if (key !== undefined && read && body.kind === 'single' && !body.singleResult.errors) {
          this.answers.set(key, { ...read, result: body.singleResult });
        }
        return Promise.resolve();
      },
    });
  }
}

/** Undefined for an operation that may contain more than the leaderboard. */
function keyOf({ operation, operationName, queryHash, request }: GraphQLRequestContext<Context>): string | undefined {
  const [field, ...others] = operation?.selectionSet.selections ?? [];
  if (field?.kind !== Kind.FIELD || field.name.value !== 'leaderboard' || others.length > 0) return undefined;
  // JSON.stringify overflows the stack at a deep value. The variables of the leaderboard are numbers and names.
  if (Object.values(request.variables ?? {}).some((value) => typeof value === 'object')) return undefined;
  const key = JSON.stringify([queryHash, operationName, request.variables]);
  return key.length > MAX_KEY ? undefined : key;
}
