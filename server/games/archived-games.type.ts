import { Field, GraphQLISODateTime, Int, ObjectType } from '@nestjs/graphql';

@ObjectType('ArchivedGames', {
  description: 'Old games that have left the database. They count in all stats, and cannot be read or replayed.',
})
export class ArchivedGamesType {
  @Field(() => Int, { description: 'How many games of the player are archived.' })
  games!: number;

  @Field(() => GraphQLISODateTime, { description: 'All games from before this time are archived.' })
  before!: Date;
}
