import { Field, ObjectType } from '@nestjs/graphql';
import { answerOf, refusedType } from '../web/answers/enums.js';
import type { CodeOf } from '../web/answers/refusals.js';
import { ModeratedPlayerType } from './moderated-player.type.js';
import type { moderationRefusal } from './refusals.js';

/** Why the server refuses a decision: what the schema says of the reason. */
export const DECISION_REFUSALS = {
  game_unknown: 'There is no such game: none that counts to void, none that is void to bring back.',
  name_not_visible: 'The new name has no visible character.',
  player_is_moderator: 'Moderators decide about no moderator, themselves included. An operator can.',
  player_unknown: 'There is no such player, nor a decision that outlives the account.',
} satisfies { [code in CodeOf<typeof moderationRefusal>]?: string };

export type DecisionRefusalReason = keyof typeof DECISION_REFUSALS;

const DecisionRefused = refusedType('Decision', 'decision', DECISION_REFUSALS);

const PLAYER = 'The player after the decision. Null where the account is deleted.';

@ObjectType('Decision', { description: 'The decision holds, now or since before.' })
class DecisionType {
  @Field({ description: 'Whether something has changed. The audit then has an entry.' }) changed!: boolean;
  @Field({ description: 'What has changed, or why nothing has, for people.' }) said!: string;
  @Field(() => ModeratedPlayerType, { nullable: true, description: PLAYER }) player!: ModeratedPlayerType | null;
}

export const DecisionAnswer = answerOf(
  'DecisionAnswer',
  'What the server did with a decision.',
  DecisionType,
  DecisionRefused,
);
