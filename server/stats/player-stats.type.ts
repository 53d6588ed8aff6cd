import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { STATS_FIELDS } from '../../game/scoring.js';
import type { Player } from '../auth/players/player.entity.js';
import type { SignedInPlayer } from '../auth/sessions/session.entity.js';
import type { PlayerSums } from './sums.js';

@ObjectType('PlayerStats', {
  description: "The sums of one player's finished games. Every number begins at 0.",
})
export class PlayerStatsType implements ShownSums {
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

/** The sums that the type shows. */
export const SHOWN = STATS_FIELDS satisfies readonly (keyof PlayerSums)[];
export type ShownSums = Pick<PlayerSums, (typeof SHOWN)[number]>;

export function toPlayerStats(playerId: string, sums: ShownSums): PlayerStatsType {
  const shown = Object.fromEntries(SHOWN.map((sum) => [sum, sums[sum]])) as unknown as ShownSums;
  return { playerId, ...shown };
}

/** The fields are those of the features. */
@ObjectType('Me', { description: 'The signed-in player.' })
export class MeType {
  @Field(() => ID, { description: 'Never changes.' })
  id!: string;

  /** Of a personal token: what it may do. The features that add fields check it. */
  scopes?: SignedInPlayer['scopes'];

  /** The row of the player, once a field has asked for it. */
  profile?: Promise<Player>;
}
