import { Field, Int, ObjectType } from '@nestjs/graphql';
import { LeaderboardEntryType } from './leaderboard-entry.type.js';

@ObjectType('NextPlace', { description: 'The next place above a player.' })
export class NextPlaceType {
  @Field(() => Int, { description: 'The place.' })
  rank!: number;

  @Field(() => Int, { description: 'How many points the player is behind it; 0 where both have the same score.' })
  points!: number;
}

@ObjectType('Neighbours', { description: 'The leaderboard around one player.' })
export class NeighboursType {
  @Field(() => [LeaderboardEntryType], {
    description: 'The players above, the player, and the players below, in the order of the leaderboard.',
  })
  entries!: LeaderboardEntryType[];

  @Field(() => NextPlaceType, {
    nullable: true,
    description:
      'Where the standing is exact, the place of the player directly above. Otherwise the place of the next higher score. Null for the first.',
  })
  next!: NextPlaceType | null;
}
