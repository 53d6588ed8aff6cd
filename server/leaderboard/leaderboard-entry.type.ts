import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import type { Week } from '../../game/week.js';
import { Day } from '../web/answers/scalars.type.js';

@ObjectType('LeaderboardEntry', { description: 'One player on the leaderboard.' })
export class LeaderboardEntryType {
  @Field(() => ID, {
    description: 'A player has one entry of all time, and one of each week. `node` does not know it.',
  })
  id!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'The place, where it is exact: on the boards always, around a player within the first 1,000.',
  })
  rank!: number | null;

  @Field(() => Day, {
    nullable: true,
    description: 'The Monday on which the week begins whose games count. Null where all games count.',
  })
  week!: Week | null;

  @Field(() => ID, { description: 'The player.' })
  playerId!: string;

  @Field({ description: "The player's name, as the provider gave it." })
  name!: string;

  @Field({ description: "Address of the player's picture, or of an avatar generated from the id." })
  picture!: string;

  @Field(() => Int, { description: 'Wins minus losses plus bonus points. It may be below 0.' })
  score!: number;

  @Field(() => Int, { description: 'Games won.' })
  wins!: number;

  @Field(() => Int, { description: 'Games lost.' })
  losses!: number;

  @Field(() => Int, { description: 'Games drawn.' })
  draws!: number;

  @Field(() => Int, { description: 'Games finished: won, lost or drawn.' })
  totalGames!: number;

  @Field({ description: 'Whether a program has sent any of the player’s games, of all time, with a personal token.' })
  byProgram!: boolean;
}

/** What the rows of a board do not have. */
type Placed = Pick<LeaderboardEntryType, 'id' | 'rank' | 'week'>;
export type UnplacedEntry = Omit<LeaderboardEntryType, keyof Placed>;

export function placed<Entry extends UnplacedEntry>(
  entry: Entry,
  rank: number | null,
  week: Week | null = null,
): Entry & Placed {
  return { ...entry, id: `${week ?? 'all'}:${entry.playerId}`, rank, week };
}
