import { Field, Int, ObjectType } from '@nestjs/graphql';

@ObjectType('Standing', { description: 'Where a player stands among all who have finished a game.' })
export class StandingType {
  @Field(() => Int, { description: '1 and the number of players with a higher score.' })
  rank!: number;

  @Field(() => Int, { description: 'How many players have finished a game.' })
  players!: number;
}
