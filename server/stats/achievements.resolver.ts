import { Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { DataSource } from 'typeorm';
import { requireScope } from '../auth/sessions/session.guard.js';
import { PlayerStats } from './player-stats.entity.js';
import { type BadgeName, BADGES, noSums, type PlayerSums } from './sums.js';
import { AchievementsType, type BadgeDetailsType } from './achievements.type.js';
import { MeType } from './me.type.js';
import { reading } from '../limits/field.js';

@Resolver(() => MeType)
export class AchievementsResolver {
  constructor(private readonly database: DataSource) {}

  @ResolveField('achievements', () => AchievementsType, {
    description: 'What the player has reached. A personal token needs `stats:read`.',
    complexity: reading(),
  })
  async achievementsOf(@Parent() { id: playerId, scopes }: MeType): Promise<AchievementsType> {
    requireScope(scopes, 'stats:read');
    const sums = (await this.database.getRepository(PlayerStats).findOneBy({ playerId })) ?? noSums;
    const details = (Object.keys(BADGES) as BadgeName[]).map((badge) => detailsOf(badge, sums));
    return {
      playerId,
      hardDraws: sums.hardDraws,
      hardDrawsInARow: sums.hardDrawsInARow,
      bestHardDrawsInARow: sums.bestHardDraws,
      badges: details.filter(({ reached }) => reached).map(({ badge }) => badge),
      badgeDetails: details,
    };
  }
}

function detailsOf(badge: BadgeName, sums: PlayerSums): BadgeDetailsType {
  const { goal, date } = BADGES[badge];
  const counted = goal > 1 ? { progress: Math.min(sums.hardDraws, goal), goal } : { progress: null, goal: null };
  return { badge, reached: sums[date] !== null, reachedAt: sums[date], ...counted };
}
