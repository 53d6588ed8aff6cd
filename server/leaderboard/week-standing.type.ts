import { Field, Int, ObjectType } from '@nestjs/graphql';
import { LeaderboardEntryType } from './leaderboard-entry.type.js';

@ObjectType('WeekStanding', { description: "A player's place on the leaderboard of one week." })
export class WeekStandingType {
  @Field({ description: 'The Monday on which the week begins, in UTC, as `2026-01-26`.' })
  week!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'The place on the leaderboard of the week, in its order. Null behind the first 1,000.',
  })
  rank!: number | null;

  @Field(() => LeaderboardEntryType, { description: 'The player with the sums of the week.' })
  entry!: LeaderboardEntryType;
}
