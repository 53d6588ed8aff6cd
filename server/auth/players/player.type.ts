import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { enumOf } from '../../web/answers/enums.js';
import { pictureOf } from './picture.js';
import type { Player } from './player.entity.js';

export const NAME =
  'The name on the leaderboard, at most 50 characters: a moderator’s, the player’s own, or what the provider gave at the last sign-in.';

export const PICTURE = 'The address of a picture: the provider’s, otherwise an avatar generated from the id.';

export const NameSource = enumOf('NameSource', 'Who has given a player the name.', {
  provider: 'The provider, at the last sign-in.',
  player: 'The player, by `chooseName`.',
  moderator: 'A moderator or an operator. The player cannot change it.',
});
export type NameSource = keyof typeof NameSource;

export const nameSourceOf = ({ renamedAt, providerName }: Player): NameSource =>
  renamedAt ? 'moderator' : providerName === null ? 'provider' : 'player';

@ObjectType({ isAbstract: true })
abstract class Shown {
  @Field({ description: NAME })
  name!: string;

  @Field({ description: PICTURE })
  picture!: string;
}

@ObjectType('Player', { description: 'A person with an account, as everybody sees them.' })
export class PlayerType extends Shown {
  @Field(() => ID, { description: 'Never changes.' })
  id!: string;

  @Field(() => GraphQLISODateTime, { description: 'The first sign-in.' })
  since!: Date;
}

/** A player in a table. */
@ObjectType({ isAbstract: true })
export class EntryType extends Shown {
  @Field(() => ID, { description: 'The player.' })
  playerId!: string;
}

export function toPlayerType(player: Player, publicOrigin: string): PlayerType {
  const { id, name, createdAt: since } = player;
  return { id, name, picture: pictureOf(player, publicOrigin), since };
}
