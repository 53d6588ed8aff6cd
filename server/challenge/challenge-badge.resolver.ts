import { Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { AchievementsType, Badge } from '../games/achievements.type.js';
import { AttemptStore } from './attempt-store.js';

const DAYS_FOR_BADGE = 7;

/** Adds the badge of the challenge to those of the games: games/ does not know the challenge. */
@Resolver(() => AchievementsType)
export class ChallengeBadgeResolver {
  constructor(private readonly attempts: AttemptStore) {}

  @ResolveField('badges', () => [Badge])
  async badges(@Parent() { playerId, badges }: AchievementsType): Promise<Badge[]> {
    const days = await this.attempts.finishedDaysOf(playerId);
    return days < DAYS_FOR_BADGE ? badges : [...badges, Badge.seven_challenge_days];
  }
}
