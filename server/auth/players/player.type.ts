import { Field, ID, ObjectType } from '@nestjs/graphql';
import { pictureOf } from './picture.js';
import type { Player } from './player.entity.js';

@ObjectType('Player', { description: 'A person with an account, as everybody sees them.' })
export class PlayerType {
  @Field(() => ID, { description: 'Never changes.' })
  id!: string;

  @Field({ description: 'The name that the provider gave at the last sign-in, at most 50 characters.' })
  name!: string;

  @Field({ description: 'The address of a picture: the provider’s, otherwise an avatar generated from the id.' })
  picture!: string;
}

export function toPlayerType(player: Player, publicOrigin: string): PlayerType {
  const { id, name } = player;
  return { id, name, picture: pictureOf(player, publicOrigin) };
}
