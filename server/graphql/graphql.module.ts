import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { GraphQLModule as NestGraphQLModule } from '@nestjs/graphql';
import { WebModule } from '../web/web.module.js';
import { safeError } from './errors.js';
import { limits, maxTokens } from './limits.js';
import { Admission } from './sockets/admission.js';
import { GRAPHQL_PATH, PREFLIGHT_HEADERS } from './requests.js';
import { Subscriptions } from './subscriptions.js';

/** The GraphQL endpoint. The schema is made from the resolvers; `npm run schema` writes it to `schema.graphql`. */
@Module({
  imports: [
    WebModule,
    NestGraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      path: GRAPHQL_PATH,
      autoSchemaFile: true,
      sortSchema: true,
      // The playground is a page of our own bundle: Nest's would load its parts from elsewhere.
      graphiql: false,
      playground: false,
      csrfPrevention: { requestHeaders: PREFLIGHT_HEADERS },
      allowBatchedHttpRequests: false,
      introspection: true,
      includeStacktraceInErrorResponses: false,
      parseOptions: { maxTokens },
      validationRules: limits,
      formatError: safeError,
    }),
  ],
  providers: [Admission, Subscriptions],
})
export class GraphQLModule {}
