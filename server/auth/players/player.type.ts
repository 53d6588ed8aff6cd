import { Field, ID, ObjectType } from '@nestjs/graphql';
import { pictureOf } from './picture.js';
import type { Player } from './player.entity.js';

@ObjectType('Player', { description: 'A person with an account.' })
export class PlayerType {
  @Field(() => ID, { description: 'Never changes.' })
  id!: string;

  @Field({ description: 'The name that the provider gave at the last sign-in, at most 50 characters.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The verified email address; null where the provider gave none. Only the player sees it.',
  })
  email!: string | null;

  @Field({ description: 'The address of a picture: the provider’s, otherwise an avatar generated from the id.' })
  picture!: string;

  @Field({ description: 'Where the player signs in: google or github.' })
  provider!: string;
}

export function toPlayerType(player: Player, publicOrigin: string): PlayerType {
  const { id, name, email, provider } = player;
  return { id, name, email, picture: pictureOf(player, publicOrigin), provider };
}
