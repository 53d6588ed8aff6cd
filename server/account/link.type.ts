import { Field, GraphQLISODateTime, Int, ObjectType } from '@nestjs/graphql';
import type { PublicProvider } from '../auth/players/profile.js';
import { answerOf, enumOf } from '../web/answers/enums.js';
import { type CodeOf, RefusalType } from '../web/answers/refusals.js';
import { listOf } from '../limits/field.js';
import type { accountRefusal } from './refusals.js';

export const Provider = enumOf<PublicProvider>('Provider', 'An identity provider.', {
  google: 'Google.',
  github: 'GitHub.',
  unknown: 'Any other.',
});

@ObjectType({ isAbstract: true })
abstract class AtProvider {
  @Field(() => Provider, { description: 'The provider. A player has at most one identity there.' })
  provider!: PublicProvider;

  @Field({ description: 'What players call the provider.' })
  providerName!: string;
}

@ObjectType('Identity', { description: 'A sign-in method of the player: one account at a provider.' })
export class IdentityType extends AtProvider {
  @Field(() => GraphQLISODateTime, { description: 'When it first signed in here, or was linked.' })
  linkedAt!: Date;
}

/** Why the server refuses a link: what the schema says of the reason. */
export const LINK_REFUSALS = {
  link_expired: 'The code is spent, older than five minutes, or of another session.',
  already_linked: 'The identity is linked to this player already.',
  provider_linked: 'The player has another identity at this provider. Unlink it first.',
  has_own_player: 'The identity belongs to a player who has played: see `owner`.',
  identity_changed: 'Somebody has signed in with the identity at the same time. Start again.',
  account_not_linkable: 'The operator does not allow this identity to be linked.',
} satisfies { [code in CodeOf<typeof accountRefusal>]?: string };

export type LinkRefusalReason = keyof typeof LINK_REFUSALS;

const Reason = enumOf('LinkRefusalReason', 'Why the server refuses a link.', LINK_REFUSALS);

@ObjectType('IdentityOwner', { description: 'A player who has played with an identity.' })
class IdentityOwner {
  @Field({ description: 'As others see it.' })
  name!: string;

  @Field(() => Int, { description: 'How many games count.' })
  games!: number;

  @Field({ description: 'Nobody has played as the signed-in player, so that one can rather be linked to this one.' })
  isOnlyOne!: boolean;
}

@ObjectType('LinkRefused', {
  description: 'The server refuses the link. Nothing has changed.',
  implements: () => [RefusalType],
})
export class LinkRefused extends RefusalType {
  @Field(() => Reason, { description: 'The reason, for programs.' })
  reason!: LinkRefusalReason;

  @Field(() => IdentityOwner, { nullable: true, description: 'With `has_own_player`.' })
  owner?: IdentityOwner;
}

@ObjectType('PendingLink', { description: 'An identity whose owner has just signed in at its provider.' })
export class PendingLinkType extends AtProvider {
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
class IdentityLinked {
  @Field(() => [IdentityType], { description: "The player's identities.", complexity: listOf(2) })
  identities!: IdentityType[];
}

export const LinkAnswer = answerOf('LinkAnswer', 'What the server did with a link.', IdentityLinked, LinkRefused);
