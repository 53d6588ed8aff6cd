import { Field, Int, ObjectType } from '@nestjs/graphql';
import { LeaderboardEntryType } from './leaderboard-entry.type.js';
import { StandingType } from './standing.type.js';

@ObjectType('LeaderboardPlace', { description: 'One player on the leaderboard, with the place.' })
export class LeaderboardPlaceType {
  @Field(() => Int, {
    description:
      "The player's place. Where `standing.exact` is false, 1 and the number of players with a higher score: players of one score share it.",
  })
  rank!: number;

  @Field(() => LeaderboardEntryType, { description: 'The player at this place.' })
  entry!: LeaderboardEntryType;
}

@ObjectType('NextPlace', { description: 'The next place above a player.' })
export class NextPlaceType {
  @Field(() => Int, { description: 'The place.' })
  rank!: number;

  @Field(() => Int, { description: 'How many points the player is behind it; 0 where both have the same score.' })
  points!: number;
}

@ObjectType('LeaderboardAround', { description: 'A part of the leaderboard: one player and the neighbours.' })
export class LeaderboardAroundType {
  @Field(() => StandingType, { description: "The player's standing." })
  standing!: StandingType;

  @Field(() => [LeaderboardPlaceType], {
    description: 'The players above, the player, and the players below, in the order of the leaderboard.',
  })
  places!: LeaderboardPlaceType[];

  @Field(() => NextPlaceType, {
    nullable: true,
    description:
      'Where the standing is exact, the place of the player directly above. Otherwise the place of the next higher score. Null for the first.',
  })
  next!: NextPlaceType | null;
}
