import { Field, ID, Int, ObjectType, PickType } from '@nestjs/graphql';
import { pickStats, type Stats } from '../../game/scoring.js';

@ObjectType('PlayerStats', {
  description: "The sums of one player's finished games. Every number begins at 0.",
})
export class PlayerStatsType implements Stats {
  @Field(() => ID, { description: 'The player whose games these are.' })
  playerId!: string;

  @Field(() => Int, {
    description: 'Wins minus losses plus bonus points: one for every third win in a row. It may be below 0.',
  })
  score!: number;

  @Field(() => Int, { description: 'Wins in a row, 0 to 2: the third gives the bonus point and begins again at 0.' })
  winStreak!: number;

  @Field(() => Int, { description: 'Games won.' })
  wins!: number;

  @Field(() => Int, { description: 'Games lost.' })
  losses!: number;

  @Field(() => Int, { description: 'Games drawn.' })
  draws!: number;

  @Field(() => Int, { description: 'Games won against the easy bot.' })
  easyWins!: number;

  @Field(() => Int, { description: 'Games won against the medium bot.' })
  mediumWins!: number;

  @Field(() => Int, { description: 'Games won against the hard bot. Nobody has one by a verified game.' })
  hardWins!: number;
}

@ObjectType('PlayerWeek', { description: "The sums of a player's verified games of one week." })
export class PlayerWeekType extends PickType(PlayerStatsType, ['score', 'wins', 'losses', 'draws']) {
  @Field({ description: 'The Monday on which the week begins, in UTC, for example `2026-01-26`.' })
  week!: string;
}

/** @param sums can have more fields */
export function toPlayerStats(playerId: string, sums: Stats): PlayerStatsType {
  return { playerId, ...pickStats(sums) };
}
