import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { makeServer, type SubscribePayload } from 'graphql-ws';
import { Derived, LruCache } from '../base/lru-cache.js';
import { ObservedValue } from '../base/events.js';
import { Shutdown } from '../base/shutdown.js';
import { valuesOf } from './cost.js';
import { distinct, safeError } from './errors.js';
import { maxErrors, withinLimits } from './document-limits.js';
import { type Client, Sockets } from './sockets.js';

export const openSockets = new ObservedValue<number>();

const MAX_SUBSCRIPTIONS = 5;
/** The largest response of a subscription, in values: the top ten with all fields. */
const MAX_PUSHED_VALUES = 200;
/** Every subscription keeps its document. The live top ten with all fields has 40 tokens. */
const MAX_TOKENS = 150;
/** Sockets that send the same text share its document, and its result for each event. */
const DOCUMENTS = 100;

/** Serves subscriptions over graphql-ws. Nest's own integration accepts messages of 100 MB, every operation and every origin. */
@Injectable()
export class Subscriptions implements OnApplicationBootstrap {
  private readonly documents = new LruCache<DocumentNode>(DOCUMENTS);
  private readonly results = new Derived<object, DocumentNode, Promise<ExecutionResult>>(DOCUMENTS);
  private readonly protocol = makeServer<Record<string, unknown>, Client>({
    onSubscribe: ({ subscriptions, extra }, _id, payload) => {
      const count = Object.keys(subscriptions).length;
      if (count > MAX_SUBSCRIPTIONS)
        return [new GraphQLError(`One socket can have ${MAX_SUBSCRIPTIONS} subscriptions.`)];
      const args = this.prepare(payload, extra);
      // graphql-ws keeps the payload until the subscription ends.
      Object.assign(payload, { query: '', operationName: undefined, variables: undefined });
      return args;
    },
    subscribe: (args) => this.subscribe(args as Args),
    onNext: (_context, _id, _payload, _args, result) => safeResult(result),
  });

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly schemaHost: GraphQLSchemaHost,
    private readonly sockets: Sockets,
    shutdown: Shutdown,
  ) {
    shutdown.onClose(() => sockets.close());
  }

  onApplicationBootstrap(): void {
    openSockets.offer('graphql', () => this.sockets.size);
    this.sockets.serve(this.http.httpAdapter.getHttpServer(), this.protocol);
  }

  /** As graphql does, but each event is executed once for all sockets with the same document. The first of them pays. */
  private async subscribe(args: Args): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
    const events = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in events)) return events;
    const iterator = (events as AsyncIterable<object>)[Symbol.asyncIterator]();
    const results: AsyncIterableIterator<ExecutionResult> = {
      next: async () => {
        const event = await iterator.next();
        return event.done ? event : { value: await this.resultOf(args, event.value) };
      },
      return: async () => {
        await iterator.return?.();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => results,
    };
    return results;
  }

  private resultOf(args: Args, event: object): Promise<ExecutionResult> {
    const { document, variableValues, operationName } = args;
    const work = async () => {
      void this.sockets.charge(args.contextValue, 1);
      return execute({ ...args, rootValue: event });
    };
    // Variables and the choice of an operation can change the result of the same document.
    const isShared = Object.keys(variableValues ?? {}).length === 0 && !operationName;
    return isShared ? this.results.of(event, document, work) : work();
  }

  /** @returns the arguments of the execution, or the errors for the client */
  private prepare(payload: SubscribePayload, client: Client): Args | readonly GraphQLError[] {
    try {
      const document = this.documentOf(payload.query);
      return 'kind' in document ? this.argsOf(payload, document, client) : document;
    } catch (error) {
      return [error instanceof GraphQLError ? error : new GraphQLError('The server cannot parse the operation.')];
    }
  }

  private documentOf(query: string): DocumentNode | readonly GraphQLError[] {
    const known = this.documents.get(query);
    if (known) return known;
    const parsed = parse(query, { maxTokens: MAX_TOKENS });
    const errors = validate(this.schemaHost.schema, parsed, [...specifiedRules, withinLimits], { maxErrors });
    if (errors.length > 0) return distinct(errors);
    // Locations keep every token and every comment.
    const document = parse(query, { noLocation: true });
    this.documents.set(query, document);
    return document;
  }

  private argsOf(
    { variables, operationName }: SubscribePayload,
    document: DocumentNode,
    contextValue: Client,
  ): Args | readonly GraphQLError[] {
    const { schema } = this.schemaHost;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) {
      return [new GraphQLError('Only subscriptions run over a socket: send queries and mutations by POST.')];
    }
    const values = valuesOf({ schema, document, operation, variables: variables ?? {} });
    if (values > MAX_PUSHED_VALUES) {
      return [
        new GraphQLError(
          `Each response could contain ${values} values; the maximum is ${MAX_PUSHED_VALUES}. Request fewer fields.`,
        ),
      ];
    }
    const declared = operation.variableDefinitions?.map(({ variable: { name } }) => name.value);
    const kept = Object.entries(variables ?? {}).filter(([name]) => declared?.includes(name));
    return { schema, document, operationName, variableValues: Object.fromEntries(kept), contextValue };
  }
}

interface Args extends ExecutionArgs {
  readonly contextValue: Client;
}

function safeResult({ errors, ...result }: ExecutionResult): FormattedExecutionResult {
  return errors ? { ...result, errors: errors.map((error) => safeError(error.toJSON(), error)) } : result;
}
