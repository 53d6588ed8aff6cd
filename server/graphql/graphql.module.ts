import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { GraphQLModule as NestGraphQLModule } from '@nestjs/graphql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthModule } from '../auth/auth.module.js';
import { GRAPHQL_PATH } from '../web/answers/problems.js';
import { safeError } from './errors.js';
import { GraphQLRoute } from './graphql-route.js';
import { maxErrors, maxTokens, withinLimits } from './document-limits.js';
import { documentStore } from './document-store.js';
import { type Context, OperationGate } from './operation-gate.plugin.js';
import { Sockets } from './sockets.js';
import { SocketUpgrades } from './socket-upgrades.service.js';

/** The GraphQL endpoint. Nest derives the schema from the resolvers; `npm run schema` writes it to `schema.graphql`. */
@Module({
  imports: [
    // The plugin uses its `RequestSessions`. It exports `WebModule`.
    AuthModule,
    NestGraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      path: GRAPHQL_PATH,
      context: (req: FastifyRequest, reply: FastifyReply): Context => ({ req, reply }),
      autoSchemaFile: true,
      sortSchema: true,
      // `npm run schema` checks the schema; at every start the check would cost 0.3 s.
      buildSchemaOptions: { skipCheck: true },
      // The playground is part of our own build, because Nest's loads its scripts from another host.
      graphiql: false,
      // No cookie counts here, a GET changes nothing, and a POST needs a type that a form cannot send:
      // docs/decisions/16-each-thing-has-one-form-in-the-api.md.
      csrfPrevention: false,
      introspection: true,
      includeStacktraceInErrorResponses: false,
      parseOptions: { maxTokens },
      validationRules: [withinLimits],
      validationOptions: { maxErrors },
      documentStore,
      // Automatic persisted queries stay on, with Apollo's cache of 30 MB.
      formatError: safeError,
      // `safeError` reads the exception itself, and no error of a field has a status.
      autoTransformHttpErrors: false,
      preserveHttpStatusForExecutionErrors: false,
      // It wraps every field to compute a header that is the same for all answers.
      plugins: [ApolloServerPluginCacheControlDisabled()],
    }),
  ],
  providers: [GraphQLRoute, OperationGate, Sockets, SocketUpgrades],
})
export class GraphQLModule {}
