import { Injectable } from '@nestjs/common';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { type DocumentNode, getOperationAST, GraphQLError, OperationTypeNode, parse } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { valuesOf } from './cost.js';
import { DocumentCache } from './document-cache.js';
import { maxTokens, problemsOf } from './limits.js';
import type { SharedArgs, Subscriber } from './sockets/shared-execution.js';

/** The largest response of a subscription, in values: the top ten with all fields. */
const MAX_PUSHED_VALUES = 200;

/** Checks each subscription before it starts: its document, its kind and its cost. */
@Injectable()
export class SubscriptionOperations {
  constructor(
    private readonly schemaHost: GraphQLSchemaHost,
    private readonly documents: DocumentCache,
  ) {}

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
    const document = parse(query, { maxTokens });
    const errors = problemsOf(this.schemaHost.schema, document);
    if (errors.length > 0) return errors;
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
    return { id, schema, document, operationName, variableValues: variables, contextValue };
  }
}
