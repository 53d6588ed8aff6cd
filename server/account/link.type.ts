import { createUnionType, Field, GraphQLISODateTime, ID, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { ProviderName } from '../auth/players/provider-name.js';
import { PlayerStatsType } from '../stats/player-stats.type.js';
import { Refusal } from '../web/answers/refusal.type.js';

/** `satisfies` makes the compiler reject a value that is no provider. */
export const Provider = { google: 'google', github: 'github' } as const satisfies { [name in ProviderName]: name };
registerEnumType(Provider, {
  name: 'Provider',
  description: 'An identity provider.',
  valuesMap: { google: { description: 'Google.' }, github: { description: 'GitHub.' } },
});

@ObjectType('Identity', { description: 'A sign-in method of the player: one account at a provider.' })
export class IdentityType {
  @Field(() => Provider, { description: 'The provider. A player has at most one identity there.' })
  provider!: ProviderName;

  @Field(() => GraphQLISODateTime, { description: 'When it first signed in here, or was linked.' })
  linkedAt!: Date;
}

/** Why the server refuses a link, for programs and for people. */
export const LINK_REFUSALS = {
  link_expired: 'This link has expired. Start it again.',
  already_linked: 'This sign-in method is linked already.',
  provider_linked: 'Another account of this provider is linked already. Unlink it first.',
  conflicting_identities:
    'Both accounts have a sign-in method of the same provider. Unlink one of them first, then link again.',
  account_changed: 'The other account has just changed. Start the link again.',
  too_many_games_in_a_day:
    'On some day, both accounts together have more games than count for one player, so they cannot be added up.',
  challenge_open: 'Today’s challenge is not finished in one of the accounts. Finish it, or link them tomorrow.',
  account_not_linkable:
    'This sign-in method cannot be linked. If you think that is wrong, ask the operator of this site.',
};
export type LinkRefusalReason = keyof typeof LINK_REFUSALS;

const Reason = Object.fromEntries(Object.keys(LINK_REFUSALS).map((reason) => [reason, reason]));
registerEnumType(Reason, {
  name: 'LinkRefusalReason',
  description: 'Why the server refuses a link.',
  valuesMap: {
    link_expired: { description: 'The code is spent, older than five minutes, or of another session.' },
    already_linked: { description: 'The identity is linked to this player already.' },
    provider_linked: { description: 'The player has another identity at this provider. Unlink it first.' },
    conflicting_identities: {
      description: 'Both accounts have an identity at the same provider. Unlink one of them first.',
    },
    account_changed: { description: 'The other account is not the one that the client has seen.' },
    too_many_games_in_a_day: {
      description: 'On some day both accounts together have more verified games than a player may have counted.',
    },
    challenge_open: { description: "Today's challenge has begun in one of the accounts and is not over." },
    account_not_linkable: { description: 'The operator does not allow this identity to be linked.' },
  },
});

@ObjectType('LinkRefused', {
  description: 'The server refuses the link. Nothing has changed.',
  implements: () => [Refusal],
})
export class LinkRefused implements Refusal {
  @Field(() => Reason, { description: 'The reason, for programs.' })
  reason!: LinkRefusalReason;

  message!: string;
}

@ObjectType('OtherAccount', { description: 'The account to which an identity belongs so far.' })
export class OtherAccountType {
  @Field(() => ID, { description: 'Its player.' })
  playerId!: string;

  @Field({ description: 'The name of its player.' })
  name!: string;

  @Field({ description: 'The picture of its player.' })
  picture!: string;

  @Field(() => PlayerStatsType, { description: 'Its stats.' })
  stats!: PlayerStatsType;
}

@ObjectType('PendingLink', { description: 'An identity whose owner has just signed in at its provider.' })
export class PendingLinkType {
  @Field(() => Provider, { description: 'The provider.' })
  provider!: ProviderName;

  @Field({ description: 'The name that the provider gives.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The verified email address; null where the provider gives none.',
  })
  email!: string | null;

  @Field(() => OtherAccountType, {
    nullable: true,
    description:
      'The account that the link would add to the player. Null for an identity without an account, and for one that cannot be linked.',
  })
  other!: OtherAccountType | null;

  @Field(() => LinkRefused, { nullable: true, description: 'Why the link is not possible. Null if it is.' })
  refusal!: LinkRefused | null;
}

@ObjectType('IdentityLinked', { description: 'The identity is linked.' })
export class IdentityLinked {
  @Field(() => [IdentityType], { description: "The player's identities." })
  identities!: IdentityType[];

  @Field(() => PlayerStatsType, { description: "The player's stats, with those of the other account." })
  stats!: PlayerStatsType;
}

export const LinkAnswer = createUnionType({
  name: 'LinkAnswer',
  description: 'What the server did with a link.',
  types: () => [IdentityLinked, LinkRefused] as const,
  resolveType: (answer: IdentityLinked | LinkRefused) => ('reason' in answer ? LinkRefused : IdentityLinked),
});
