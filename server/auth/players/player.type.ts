import { Field, ObjectType } from '@nestjs/graphql';
import { Node } from '../../web/answers/node.type.js';
import { pictureOf } from './picture.js';
import type { Player } from './player.entity.js';

@ObjectType('Player', { description: 'A person with an account.', implements: () => [Node] })
export class PlayerType implements Node {
  id!: string;

  @Field({ description: 'The name that the provider gave at the last sign-in, at most 50 characters.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The verified email address; null where the provider gave none. Only the player sees it: it is null for others.',
  })
  email!: string | null;

  @Field({ description: 'The address of a picture: the provider’s, otherwise an avatar generated from the id.' })
  picture!: string;

  @Field({
    description: 'Where the player signs in: google or github. Only the player sees it: it is empty for others.',
    deprecationReason: 'Use `myIdentities`: a player may have several. Deprecated since 2026-11-24.',
  })
  provider!: string;
}

export function toPlayerType(player: Player, publicOrigin: string): PlayerType {
  const { id, name, email, provider } = player;
  return { id, name, email, picture: pictureOf(player, publicOrigin), provider };
}

/** The player as others see them. */
export function toPublicPlayer({ id, name, picture }: PlayerType): PlayerType {
  return { id, name, email: null, picture, provider: '' };
}
