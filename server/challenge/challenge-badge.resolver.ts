import { Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Clock } from '../base/clock.js';
import { utcDay } from '../counting/day.js';
import { AchievementsType, Badge, BadgeDetailsType } from '../games/achievements.type.js';
import { BadgeShares } from '../games/badge-shares.js';
import { AttemptStore, DAYS_FOR_BADGE, PLAYERS_WITH_BADGE } from './attempt-store.js';

/** Adds the badge of the challenge to those of the games: games/ does not know the challenge. */
@Resolver(() => AchievementsType)
export class ChallengeBadgeResolver {
  constructor(
    private readonly attempts: AttemptStore,
    private readonly shares: BadgeShares,
    private readonly clock: Clock,
  ) {
    shares.add(PLAYERS_WITH_BADGE);
  }

  @ResolveField('badges', () => [Badge])
  async badges(@Parent() { playerId, badges }: AchievementsType): Promise<Badge[]> {
    return (await this.attempts.badgeReachedAt(playerId)) ? [...badges, Badge.seven_challenge_days] : badges;
  }

  @ResolveField('badgeDetails', () => [BadgeDetailsType])
  async badgeDetails(@Parent() { playerId, badgeDetails }: AchievementsType): Promise<BadgeDetailsType[]> {
    const badge = Badge.seven_challenge_days;
    const reachedAt = await this.attempts.badgeReachedAt(playerId);
    const days = await this.attempts.daysInARow(playerId, utcDay(this.clock.now()));
    const progress = Math.min(days, DAYS_FOR_BADGE);
    const share = this.shares.of(badge);
    return [...badgeDetails, { badge, reached: reachedAt !== null, reachedAt, progress, goal: DAYS_FOR_BADGE, share }];
  }
}
