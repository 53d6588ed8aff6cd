import { Field, Int, ObjectType } from '@nestjs/graphql';
import { LeaderboardEntryType } from './leaderboard.type.js';
import { listOf } from '../limits/field.js';

/** The row of a player on the leaderboard. */
export interface StandingRow extends Omit<LeaderboardEntryType, 'name' | 'picture' | 'rank'> {
  /** As text, because a date of JavaScript has no microseconds. */
  readonly reachedAt: string;
}

@ObjectType('Standing', { description: "A player's place among all players with a finished game." })
export class StandingType {
  /** Where the neighbours begin. */
  row!: StandingRow;

  @Field(() => Int, {
    description:
      'Where `exact`, the place on the leaderboard, in its order. Otherwise about 1 and the number of players with a higher score: players of one score share it.',
  })
  rank!: number;

  @Field({ description: "Whether `rank` is the player's own place. It is within the first 1,000, and nowhere else." })
  exact!: boolean;

  @Field(() => Int, {
    description: 'How many players have finished a game. Of more than 1,000, the number is as old as the last count.',
  })
  players!: number;

  @Field(() => Date, {
    nullable: true,
    description:
      'When the players were counted from whom `rank` comes. Null where it is exact, which is always current.',
  })
  asOf!: Date | null;
}

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
    complexity: listOf(11),
  })
  entries!: LeaderboardEntryType[];

  @Field(() => NextPlaceType, {
    nullable: true,
    description:
      'Where the standing is exact, the place of the player directly above. Otherwise the place of the next higher score. Null for the first.',
  })
  next!: NextPlaceType | null;
}
