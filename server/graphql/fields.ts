import type { ApolloServerPlugin, GraphQLServerContext } from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import type { FastifyRequest } from 'fastify';
import { defaultFieldResolver, type GraphQLField, isObjectType } from 'graphql';
import { DatabaseTurns, type Lane } from '../web/requests/database-turns.js';

/** What the server knows of a field beside its type. */
interface Known {
  /** The number of entries of a list without a `limit`: the maximum of our own lists, the average of introspection lists. */
  readonly entries?: number;
  /**
   * The turn for the database that the field takes, as each field below the root that reads the database must. A field of the
   * root takes one for `reads` unless it is named here. None: it shares statements with other requests, or takes a turn itself.
   */
  readonly turn?: Lane | 'none';
}

/** By type and name. A test compares them with the schema. */
export const FIELDS: Readonly<Record<string, Known>> = {
  'Achievements.badgeDetails': { entries: 5 },
  'Achievements.badges': { entries: 5 },
  'BotMoved.moves': { entries: 9 },
  'Challenge.commitment': { turn: 'reads' },
  'Challenge.entries': { turn: 'reads' },
  'Challenge.entry': { turn: 'reads' },
  'Challenge.players': { turn: 'reads' },
  'Challenge.seeds': { entries: 5, turn: 'reads' },
  'ChallengeAttempt.games': { entries: 5 },
  'ChallengeEntry.moves': { entries: 5 },
  'ChallengeEntry.results': { entries: 5 },
  'ChallengeGame.squares': { entries: 9 },
  'Game.moves': { entries: 9 },
  'IdentityLinked.identities': { entries: 2 },
  'Me.achievements': { turn: 'reads' },
  'Me.games': { turn: 'gameReads' },
  'Me.isModerator': { turn: 'reads' },
  'Me.standing': { turn: 'reads' },
  'Me.week': { turn: 'reads' },
  'Mutation.confirmLink': { turn: 'gameReads' },
  'Mutation.deleteAccount': { turn: 'gameReads' },
  'Mutation.endOtherSessions': { entries: 100 },
  'Mutation.endSession': { entries: 100 },
  'Mutation.finishGame': { turn: 'none' },
  'Mutation.playChallengeMove': { turn: 'gameReads' },
  'Mutation.revokeToken': { entries: 20 },
  'Mutation.startChallengeGame': { turn: 'gameReads' },
  'Mutation.startGame': { turn: 'gameReads' },
  'Mutation.unlinkIdentity': { entries: 2 },
  'Mutation.unvoidGame': { turn: 'gameReads' },
  'Mutation.voidGame': { turn: 'gameReads' },
  'Neighbours.entries': { entries: 11 },
  'PersonalToken.scopes': { entries: 4 },
  'Player.games': { turn: 'gameReads' },
  'Player.standing': { turn: 'reads' },
  'Player.stats': { turn: 'reads' },
  'PlayerReport.games': { turn: 'gameReads' },
  'PlayerReport.identities': { entries: 2 },
  'PlayerReport.voidedGames': { entries: 50 },
  'Query.game': { turn: 'gameReads' },
  'Query.leaderboard': { turn: 'none' },
  'Query.me': { turn: 'none' },
  'Query.myIdentities': { entries: 2 },
  'Query.mySessions': { entries: 100 },
  'Query.myTokens': { entries: 20 },
  'Query.pendingLink': { turn: 'gameReads' },
  'Standing.neighbours': { turn: 'reads' },
  'Subscription.leaderboard': { entries: 10 },
  '__Directive.args': { entries: 1 },
  '__Directive.locations': { entries: 5 },
  '__Field.args': { entries: 0.2 },
  '__Schema.directives': { entries: 6 },
  '__Type.enumValues': { entries: 1.2 },
  '__Type.fields': { entries: 3.5 },
  '__Type.inputFields': { entries: 0.1 },
  '__Type.interfaces': { entries: 0.1 },
  // Not a list: about one type in three wraps another.
  '__Type.ofType': { entries: 0.35 },
  '__Type.possibleTypes': { entries: 0.2 },
};

/** Every field that uses the database takes a turn for it. Subscriptions read from memory. */
@Plugin()
export class FieldTurns implements ApolloServerPlugin {
  constructor(private readonly turns: DatabaseTurns) {}

  serverWillStart({ schema }: GraphQLServerContext): Promise<void> {
    const roots: readonly unknown[] = [schema.getQueryType(), schema.getMutationType()];
    for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
      for (const [name, field] of Object.entries(type.getFields())) {
        const { turn = roots.includes(type) ? 'reads' : 'none' } = FIELDS[`${type.name}.${name}`] ?? {};
        if (turn !== 'none') this.wrap(field, turn);
      }
    }
    return Promise.resolve();
  }

  private wrap(field: GraphQLField<unknown, { req: FastifyRequest }>, turn: Lane): void {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (source, args, context, info) =>
      this.turns.run(context.req.raw, turn, () => resolve(source, args, context, info));
  }
}
