import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { connectionType } from '../web/answers/page-info.type.js';

const BY =
  'Who made it: `moderator`, the name then, and the id in brackets; `server` at the end of a ban; `player` for the player’s own name; or an operator.';

@ObjectType('AuditEntry', { description: 'One change of a moderator or an operator. No entry ever changes.' })
export class AuditEntryType {
  @Field(() => ID, { description: 'Later entries have higher numbers.' }) id!: string;
  @Field(() => GraphQLISODateTime, { description: 'When the change was made.' }) at!: Date;
  @Field({ description: BY }) operator!: string;
  @Field({ description: 'What was done, such as `player.ban`.' }) action!: string;
  @Field(() => ID, { nullable: true, description: 'The player whom it was about, if any.' }) playerId!: string | null;
  @Field(() => String, { nullable: true, description: 'What it was about besides.' }) target!: string | null;
  @Field({ description: 'Why.' }) reason!: string;
  @Field(() => String, { nullable: true, description: 'What was there before, as JSON.' }) before!: string | null;
  @Field(() => String, { nullable: true, description: 'What is there since, as JSON.' }) after!: string | null;
}

export const AuditConnection = connectionType('Audit', AuditEntryType, {
  page: 'A page of the audit',
  edges: 'The entries, newest first.',
});
export type AuditConnection = InstanceType<typeof AuditConnection>;
