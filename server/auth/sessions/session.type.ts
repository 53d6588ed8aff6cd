import { Field, GraphQLISODateTime, ID, ObjectType, registerEnumType } from '@nestjs/graphql';
import Bowser from 'bowser';
import { type Scope, SCOPES, type Session } from './session.entity.js';
import { listOf } from '../../limits/field.js';

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

const UNKNOWN_BROWSER = 'Unknown browser';

const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));

/** A readable name of a user agent, such as "Firefox on Linux". */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return UNKNOWN_BROWSER;
  const { browser, os } = Bowser.parse(userAgent);
  // Bowser returns the first word of an unknown user agent, which the client chooses.
  if (!browser.name || !BROWSERS.has(browser.name)) return UNKNOWN_BROWSER;
  return os.name ? `${browser.name} on ${os.name}` : browser.name;
}

/** GraphQL names have no colon. */
export const TokenScope = Object.fromEntries(SCOPES.map((scope) => [scope.replace(':', '_'), scope]));

registerEnumType(TokenScope, {
  name: 'TokenScope',
  description: 'What a personal token may do. REST and the descriptions write a colon: `games:write`.',
  valuesMap: {
    account_read: { description: '`me { email }`.' },
    games_read: { description: 'The finished games.' },
    games_write: { description: 'Start and finish games, and report results.' },
    stats_read: { description: 'Stats, badges and places on the leaderboard.' },
  },
});

@ObjectType('PersonalToken', {
  description: 'A token with which a program acts for the player. Its text is not stored.',
})
export class PersonalTokenType {
  @Field(() => ID, { description: 'What `revokeToken` wants.' })
  id!: string;

  @Field({ description: 'What the player calls it.' })
  name!: string;

  @Field(() => [TokenScope], { description: 'What it may do.', complexity: listOf(4) })
  scopes!: readonly Scope[];

  @Field(() => GraphQLISODateTime, { description: 'When the player made it.' })
  createdAt!: Date;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'The last use, exact to ten minutes. Null before it.',
  })
  lastUsedAt!: Date | null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it ends by itself. Null if never.' })
  expiresAt!: Date | null;
}

/** The end of a token that has none. */
export const NO_END = new Date('9999-12-31T00:00:00Z');

/** A token that was never used has the time at which it was made. */
export const lastUseOf = ({ createdAt, lastSeenAt }: Session) => (lastSeenAt > createdAt ? lastSeenAt : null);

/** @param session of a personal token */
export function toPersonalTokenType(session: Session): PersonalTokenType {
  const { id, tokenName, tokenScopes, createdAt, expiresAt } = session;
  return {
    ...{ id, name: tokenName!, scopes: tokenScopes!, createdAt, lastUsedAt: lastUseOf(session) },
    expiresAt: expiresAt >= NO_END ? null : expiresAt,
  };
}

@ObjectType('TokenCreated', { description: 'A new personal token.' })
export class TokenCreated {
  @Field({ description: 'The token for the header `Authorization: Bearer …`. It is shown this once.' })
  secret!: string;

  @Field(() => PersonalTokenType, { description: 'What the list says of it.' })
  token!: PersonalTokenType;
}
