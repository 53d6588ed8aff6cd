import { Field, GraphQLISODateTime, Int, ObjectType, PickType } from '@nestjs/graphql';
import { type ChallengeResult, compareResults } from '../../game/challenge.js';
import type { Result as ResultName } from '../../game/rules.js';
import { Result } from '../games/game.type.js';
import { listOf } from '../limits/field.js';
import { ChallengeAttemptType, ChallengeEntryType } from './challenge.type.js';

const SHOWN_TAKERS = 3;

@ObjectType('ChallengeStanding', { description: 'A place among the players of a day.' })
export class ChallengeStandingType {
  @Field(() => Int, { description: '1 and the number of players with a better result.' })
  place!: number;

  @Field(() => Int, { description: 'How many players are in the table.' })
  players!: number;
}

@ObjectType('ChallengeTaker', {
  description: 'A player who came by the link of the signed-in player and has finished.',
})
export class ChallengeTakerType extends PickType(ChallengeEntryType, ['playerId', 'name', 'wins']) {
  @Field(() => Result, { description: 'How the duel ended for the player who came.' })
  result!: ResultName;
}

@ObjectType('MyChallengeDay', { description: "The player's result of a day." })
export class MyChallengeDayType extends PickType(ChallengeEntryType, ['wins', 'draws']) {
  @Field({ description: 'The UTC day, such as 2026-11-22.' })
  day!: string;
}

@ObjectType('MyChallenge', { description: "Today's challenge of the signed-in player." })
export class MyChallengeType {
  @Field(() => ChallengeAttemptType, { description: 'The five games of today.' })
  attempt!: ChallengeAttemptType;

  @Field(() => GraphQLISODateTime, { description: 'When the day ends. A game that is unfinished then is lost.' })
  endsAt!: Date;

  @Field(() => Int, {
    nullable: true,
    description:
      "Today's place: 1 and the number of players with a better result. Null before the end of the fifth game, and for a player whom an operator has hidden.",
  })
  place!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The fewest moves with which the best result of the day can be reached. Null before the end of the fifth game.',
  })
  par!: number | null;

  @Field(() => Int, { description: 'How many players have finished all five games today.' })
  players!: number;

  @Field(() => Int, { description: 'On how many days in a row the player has played, up to today or yesterday.' })
  run!: number;

  @Field(() => [MyChallengeDayType], {
    description: 'Those of the last 30 days, the newest first, with today when it is finished.',
    complexity: listOf(30),
  })
  days!: MyChallengeDayType[];

  @Field(() => ChallengeStandingType, {
    nullable: true,
    description: "Yesterday's place, from one minute after that day. Null for a player who has none.",
  })
  yesterday!: ChallengeStandingType | null;

  @Field({ description: "Whether today's result is better than yesterday's." })
  isBetter!: boolean;

  @Field(() => [ChallengeTakerType], {
    description: "Who came by the player's link of the last finished day, and has finished: the three best.",
    complexity: listOf(3),
  })
  takers!: ChallengeTakerType[];

  @Field(() => Int, { description: 'How many came so, up to 100.' })
  takersInAll!: number;
}

/** Those who came by a player's link, with the winner of each duel. */
export function takersIn(
  rows: readonly (ChallengeResult & Pick<ChallengeTakerType, 'playerId' | 'name'>)[],
  own: ChallengeResult | undefined,
): Pick<MyChallengeType, 'takers' | 'takersInAll'> {
  const takers = rows.slice(0, SHOWN_TAKERS).map(({ playerId, name, ...result }) => {
    const better = compareResults(result, own!);
    const { wins } = result;
    return { playerId, name, wins, result: better < 0 ? Result.win : better > 0 ? Result.lose : Result.draw };
  });
  return { takers, takersInAll: rows.length };
}
