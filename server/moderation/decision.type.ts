import { createUnionType, Field, ObjectType, registerEnumType } from '@nestjs/graphql';
import { type Code, RefusalType, valuesOf } from '../web/answers/refusals.js';
import { ModeratedPlayerType } from './moderated-player.type.js';

/** Why the server refuses a decision: what the schema says of the reason. */
export const DECISION_REFUSALS = {
  game_unknown: { meaning: 'There is no such game: none that counts to void, none that is void to bring back.' },
  name_not_visible: { meaning: 'The new name has no visible character.' },
  player_is_moderator: {
    meaning: 'Moderators decide about no moderator, themselves included. An operator can.',
  },
  player_unknown: { meaning: 'There is no such player, nor a decision that outlives the account.' },
} satisfies { [code in Code]?: object };

export type DecisionRefusalReason = keyof typeof DECISION_REFUSALS;

const { names: Reason, valuesMap } = valuesOf(DECISION_REFUSALS);
registerEnumType(Reason, {
  name: 'DecisionRefusalReason',
  description: 'Why the server refuses a decision.',
  valuesMap,
});

const REFUSED = 'The server refuses the decision. Nothing has changed.';

@ObjectType('DecisionRefused', { description: REFUSED, implements: () => [RefusalType] })
export class DecisionRefused implements RefusalType {
  @Field(() => Reason, { description: 'The reason, for programs.' }) reason!: DecisionRefusalReason;
  message!: string;
}

const PLAYER = 'The player after the decision. Null where the account is deleted.';

@ObjectType('Decision', { description: 'The decision holds, now or since before.' })
export class DecisionType {
  @Field({ description: 'Whether something has changed. The audit then has an entry.' }) changed!: boolean;
  @Field({ description: 'What has changed, or why nothing has, for people.' }) said!: string;
  @Field(() => ModeratedPlayerType, { nullable: true, description: PLAYER }) player!: ModeratedPlayerType | null;
}

export const DecisionAnswer = createUnionType({
  name: 'DecisionAnswer',
  description: 'What the server did with a decision.',
  types: () => [DecisionType, DecisionRefused] as const,
  resolveType: (answer: DecisionType | DecisionRefused) => ('reason' in answer ? DecisionRefused : DecisionType),
});
