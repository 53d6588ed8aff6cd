import { Field, ID, Int, ObjectType } from '@nestjs/graphql';

@ObjectType('LeaderboardEntry', { description: 'One player on the leaderboard.' })
export class LeaderboardEntryType {
  @Field(() => Int, {
    nullable: true,
    description:
      'The place. Around a player whose standing is not exact, players of one score share it. Null for the own entry of a week behind the first 1,000.',
  })
  rank!: number | null;

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
