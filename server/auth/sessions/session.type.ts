import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import type { Session } from './session.entity.js';
import { browserName } from './browser-name.js';

@ObjectType('Session', { description: 'One browser in which the player is signed in.' })
export class SessionType {
  @Field(() => ID, { description: 'What `endSession` wants.' })
  id!: string;

  @Field({ description: 'The browser and its system, such as "Firefox on Linux"; otherwise "Unknown browser".' })
  browser!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the player signed in there.' })
  signedInAt!: Date;

  @Field(() => GraphQLISODateTime, { description: 'The last use, exact to about ten minutes.' })
  lastSeenAt!: Date;

  @Field({ description: 'Whether it is the session that asks.' })
  current!: boolean;
}

export function toSessionType({ id, userAgent, createdAt, lastSeenAt }: Session, currentId: string): SessionType {
  return { id, browser: browserName(userAgent), signedInAt: createdAt, lastSeenAt, current: id === currentId };
}
