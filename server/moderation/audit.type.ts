import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { PageInfo } from '../web/answers/page-info.type.js';

@ObjectType('AuditEntry', {
  description: 'One change that an operator or a moderator has made. No entry ever changes.',
})
export class AuditEntryType {
  @Field(() => ID, { description: 'Later entries have higher numbers.' })
  id!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the change was made.' })
  at!: Date;

  @Field({
    description:
      'Who made it: `moderator`, the name then and the id in brackets; `server` for the end of a ban; otherwise an operator.',
  })
  operator!: string;

  @Field({ description: 'What was done, such as `player.ban`.' })
  action!: string;

  @Field(() => ID, { nullable: true, description: 'The player whom it was about. Null where it was about no player.' })
  playerId!: string | null;

  @Field(() => String, { nullable: true, description: 'What it was about besides: the id of a game.' })
  target!: string | null;

  @Field({ description: 'Why.' })
  reason!: string;

  @Field(() => String, { nullable: true, description: 'What was there before, as JSON.' })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'What is there since, as JSON.' })
  after!: string | null;
}

@ObjectType('AuditEdge', { description: 'One entry in the audit, with its place there.' })
export class AuditEdge {
  @Field({ description: 'What `after` wants, for the entries before this one.' })
  cursor!: string;

  @Field(() => AuditEntryType, { description: 'The entry.' })
  node!: AuditEntryType;
}

@ObjectType('AuditConnection', { description: 'A page of the audit, by the Relay specification.' })
export class AuditConnection {
  @Field(() => [AuditEdge], { description: 'The entries, newest first.' })
  edges!: AuditEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands in the audit.' })
  pageInfo!: PageInfo;
}
