import { createUnionType, Field, GraphQLISODateTime, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { ProviderName } from '../auth/players/player.js';
import { RefusalType } from '../web/answers/refusals.js';

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
  has_own_player: 'This sign-in method has its own player here. To link it, delete that account, then link again.',
  identity_changed: 'This sign-in method has just changed. Start the link again.',
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
    has_own_player: {
      description: 'The identity belongs to a player who has played. The message has the name and the number of games.',
    },
    identity_changed: { description: 'Somebody has signed in with the identity at the same time. Start again.' },
    account_not_linkable: { description: 'The operator does not allow this identity to be linked.' },
  },
});

@ObjectType('LinkRefused', {
  description: 'The server refuses the link. Nothing has changed.',
  implements: () => [RefusalType],
})
export class LinkRefused implements RefusalType {
  @Field(() => Reason, { description: 'The reason, for programs.' })
  reason!: LinkRefusalReason;

  message!: string;
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

  @Field(() => LinkRefused, { nullable: true, description: 'Why the link is not possible. Null if it is.' })
  refusal!: LinkRefused | null;
}

@ObjectType('IdentityLinked', { description: 'The identity is linked.' })
export class IdentityLinked {
  @Field(() => [IdentityType], { description: "The player's identities." })
  identities!: IdentityType[];
}

export const LinkAnswer = createUnionType({
  name: 'LinkAnswer',
  description: 'What the server did with a link.',
  types: () => [IdentityLinked, LinkRefused] as const,
  resolveType: (answer: IdentityLinked | LinkRefused) => ('reason' in answer ? LinkRefused : IdentityLinked),
});
