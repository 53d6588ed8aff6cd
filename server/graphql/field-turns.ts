import type { ApolloServerPlugin, GraphQLServerContext } from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import type { FastifyRequest } from 'fastify';
import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { DatabaseTurns, type Lane } from '../web/requests/database-turns.js';
import { READ_BELOW_ROOT } from './cost.js';

/** Fields that read or change `games`. The others of the root take a turn for other reads. */
const LANES: Readonly<Record<string, Lane>> = {
  'Me.games': 'gameReads',
  'Mutation.confirmLink': 'gameReads',
  'Mutation.deleteAccount': 'gameReads',
  'Mutation.playChallengeMove': 'gameReads',
  'Mutation.startChallengeGame': 'gameReads',
  'Mutation.startGame': 'gameReads',
  'Mutation.unvoidGame': 'gameReads',
  'Mutation.voidGame': 'gameReads',
  'Player.games': 'gameReads',
  'PlayerReport.games': 'gameReads',
  'Query.game': 'gameReads',
  'Query.pendingLink': 'gameReads',
};

/** They share statements with other requests, or take a turn themselves. */
const WITHOUT_TURN: ReadonlySet<string> = new Set(['Mutation.finishGame', 'Query.leaderboard', 'Query.me']);

/** Every field that uses the database takes a turn for it. Subscriptions read from memory. */
@Plugin()
export class FieldTurns implements ApolloServerPlugin {
  constructor(private readonly turns: DatabaseTurns) {}

  serverWillStart({ schema }: GraphQLServerContext): Promise<void> {
    for (const name of fieldsOf(schema)) if (!WITHOUT_TURN.has(name)) this.wrap(schema, name);
    return Promise.resolve();
  }

  private wrap(schema: GraphQLSchema, name: string): void {
    const [type, fieldName] = name.split('.') as [string, string];
    const field = (schema.getType(type) as ReturnType<GraphQLSchema['getQueryType']>)!.getFields()[fieldName]!;
    const lane = LANES[name] ?? 'reads';
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (source, args, context: { req: FastifyRequest }, info) =>
      this.turns.run(context.req.raw, lane, () => resolve(source, args, context, info));
  }
}

function fieldsOf(schema: GraphQLSchema): string[] {
  const ofRoot = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
    Object.keys(type.getFields()).map((field) => `${type.name}.${field}`),
  );
  return [...ofRoot, ...READ_BELOW_ROOT];
}
