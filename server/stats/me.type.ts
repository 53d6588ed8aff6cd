import { Field, ObjectType } from '@nestjs/graphql';
import { ShownPlayer } from '../auth/players/player.type.js';
import type { SignedInPlayer } from '../auth/sessions/signed-in.js';
import { PlayerStatsType } from './player-stats.type.js';

@ObjectType('Me', { description: 'The signed-in player.' })
export class MeType extends ShownPlayer {
  /** Of a personal token: what it may do. The features that add fields check it. */
  scopes?: SignedInPlayer['scopes'];

  @Field(() => String, {
    nullable: true,
    description:
      'The verified email address; null where the provider gave none, and for a personal token without `account:read`.',
  })
  email!: string | null;

  @Field(() => PlayerStatsType, { description: 'The stats. A personal token needs `stats:read`.' })
  stats!: PlayerStatsType;
}
