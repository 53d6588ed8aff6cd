import { ObjectType, PickType } from '@nestjs/graphql';
import type { Player } from '../auth/players/player.entity.js';
import { PlayerType } from '../auth/players/player.type.js';
import type { SignedInPlayer } from '../auth/sessions/session.entity.js';

/** Each feature adds its fields with a resolver of its own. */
@ObjectType('Me', { description: 'The signed-in player.' })
export class MeType extends PickType(PlayerType, ['id']) {
  /** Of a personal token: what it may do. The features that add fields check it. */
  scopes?: SignedInPlayer['scopes'];

  /** The row of the player, once a field has asked for it. */
  profile?: Promise<Player>;
}
