import { Field, ID, ObjectType } from '@nestjs/graphql';
import { pictureOf } from './picture.js';
import type { Player } from './player.entity.js';

/** What everybody sees of a player. */
@ObjectType({ isAbstract: true })
export abstract class ShownPlayer {
  @Field(() => ID, { description: 'Never changes.' })
  id!: string;

  @Field({ description: 'The name that the provider gave at the last sign-in, at most 50 characters.' })
  name!: string;

  @Field({ description: 'The address of a picture: the provider’s, otherwise an avatar generated from the id.' })
  picture!: string;
}

@ObjectType('Player', { description: 'A person with an account, as everybody sees them.' })
export class PlayerType extends ShownPlayer {}

export function toPlayerType(player: Player, publicOrigin: string): PlayerType {
  const { id, name } = player;
  return { id, name, picture: pictureOf(player, publicOrigin) };
}
