import { UseGuards } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { NeedsScope, SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import { SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { AchievementsService } from './achievements.service.js';
import { AchievementsType } from './achievements.type.js';

@Resolver(() => AchievementsType)
@UseGuards(SignedInGuard)
export class AchievementsResolver {
  constructor(private readonly achievements: AchievementsService) {}

  @Query(() => AchievementsType, {
    description: "The signed-in player's achievements. Needs an access token, or a personal token with `stats:read`.",
  })
  @NeedsScope('stats:read')
  myAchievements(@SignedIn() player: SignedInPlayer): Promise<AchievementsType> {
    return this.achievements.of(player.playerId);
  }
}
