import { Injectable } from '@nestjs/common';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { type DocumentNode, getOperationAST, GraphQLError, OperationTypeNode, parse } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { valuesOf } from './cost.js';
import { LruCache } from '../base/lru-cache.js';
import { problemsOf } from './limits.js';
import type { SharedArgs, Subscriber } from './sockets/shared-execution.js';

/** The largest response of a subscription, in values: the top ten with all fields. */
const MAX_PUSHED_VALUES = 200;

/** Every subscription keeps its document. The live top ten with all fields has 40 tokens. */
const MAX_TOKENS = 150;

/** Sockets that send the same text share its document, and with it the executions. */
const DOCUMENTS = 100;

/** Checks each subscription before it starts: its document, its kind and its cost. */
@Injectable()
export class SubscriptionOperations {
  private readonly documents = new LruCache<DocumentNode>(DOCUMENTS);

  constructor(private readonly schemaHost: GraphQLSchemaHost) {}

  /** @returns the arguments of the execution, or the errors for the client */
  prepare(payload: SubscribePayload, id: string, socket: Subscriber): SharedArgs | readonly GraphQLError[] {
    try {
      const document = this.documentOf(payload.query);
      return 'kind' in document ? this.argsOf(payload, document, id, socket) : document;
    } catch (error) {
      return [error instanceof GraphQLError ? error : new GraphQLError('The server cannot parse the operation.')];
    }
  }

  private documentOf(query: string): DocumentNode | readonly GraphQLError[] {
    const known = this.documents.get(query);
    if (known) return known;
    const errors = problemsOf(this.schemaHost.schema, parse(query, { maxTokens: MAX_TOKENS }));
    if (errors.length > 0) return errors;
    // Locations keep every token and every comment.
    const document = parse(query, { noLocation: true });
    this.documents.set(query, document);
    return document;
  }

  private argsOf(
    { variables, operationName }: SubscribePayload,
    document: DocumentNode,
    id: string,
    contextValue: Subscriber,
  ): SharedArgs | readonly GraphQLError[] {
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
    return { id, schema, document, operationName, variableValues: Object.fromEntries(kept), contextValue };
  }
}
