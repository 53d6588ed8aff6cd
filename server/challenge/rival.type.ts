import { Field, Int, ObjectType } from '@nestjs/graphql';
import { EntryType } from '../auth/players/player.type.js';
import { ChallengeEntryType } from './challenge.type.js';

@ObjectType('Rival', {
  description:
    "Who began a challenge of the last 28 days, today's included, by the player's link, or the other way round.",
})
export class RivalType extends EntryType {
  @Field(() => ChallengeEntryType, { nullable: true, description: "The rival in today's table. Null when not in it." })
  today!: ChallengeEntryType | null;

  @Field(() => Int, { description: 'On how many of these days that are over the player has the better result.' })
  daysWon!: number;

  @Field(() => Int, { description: 'On how many of them both have the same result.' })
  daysDrawn!: number;

  @Field(() => Int, { description: 'On how many of them the rival has the better result.' })
  daysLost!: number;

  @Field(() => Int, { description: "The score of the rival's verified games of this week." })
  weekScore!: number;
}
