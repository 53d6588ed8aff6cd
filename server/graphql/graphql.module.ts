import type { ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { GraphQLModule as NestGraphQLModule } from '@nestjs/graphql';
import { GRAPHQL_PATH } from '../web/answers/problems.js';
import { WebModule } from '../web/web.module.js';
import { safeError } from './errors.js';
import { FieldTurns } from './fields.js';
import { GraphQLDriver } from './graphql-driver.js';
import { maxErrors, maxTokens } from './limits.js';
import { OperationGate } from './operation-gate.js';
import { Admission } from './sockets/admission.js';
import { Subscriptions } from './subscriptions.js';

/** The GraphQL endpoint. Nest derives the schema from the resolvers; `npm run schema` writes it to `schema.graphql`. */
@Module({
  imports: [
    WebModule,
    NestGraphQLModule.forRoot<ApolloDriverConfig>({
      driver: GraphQLDriver,
      path: GRAPHQL_PATH,
      autoSchemaFile: true,
      sortSchema: true,
      // `npm run schema` checks the schema; at every start the check would cost 0.3 s.
      buildSchemaOptions: { skipCheck: true },
      // The playground is part of our own build, because Nest's loads its scripts from another host.
      graphiql: false,
      playground: false,
      // No cookie counts here, a GET changes nothing, and a POST needs a type that a form cannot send:
      // docs/decisions/16-each-thing-has-one-form-in-the-api.md.
      csrfPrevention: false,
      allowBatchedHttpRequests: false,
      introspection: true,
      includeStacktraceInErrorResponses: false,
      parseOptions: { maxTokens },
      validationOptions: { maxErrors },
      // `OperationGate` keeps documents: Apollo's own store would serialize each one to measure it.
      documentStore: null,
      // Automatic persisted queries stay on, with Apollo's cache of 30 MB.
      formatError: safeError,
    }),
  ],
  providers: [Admission, FieldTurns, OperationGate, Subscriptions],
})
export class GraphQLModule {}
