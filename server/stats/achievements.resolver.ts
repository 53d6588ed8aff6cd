import { Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { requireScope } from '../auth/sessions/session.guard.js';
import { type BadgeName, BADGES, type PlayerSums } from './sums.js';
import { AchievementsType, type BadgeDetailsType } from './achievements.type.js';
import { MeType } from './me.type.js';
import { StatsService } from './stats.service.js';
import { reading } from '../limits/field.js';

@Resolver(() => MeType)
export class AchievementsResolver {
  constructor(private readonly stats: StatsService) {}

  @ResolveField('achievements', () => AchievementsType, {
    description: 'What the player has reached. A personal token needs `stats:read`.',
    complexity: reading(),
  })
  async achievementsOf(@Parent() { id: playerId, scopes }: MeType): Promise<AchievementsType> {
    requireScope(scopes, 'stats:read');
    const sums = await this.stats.sumsOf(playerId);
    const details = badgesOf(sums);
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

export function badgesOf(sums: PlayerSums): BadgeDetailsType[] {
  return (Object.keys(BADGES) as BadgeName[]).map((badge) => detailsOf(badge, sums));
}

function detailsOf(badge: BadgeName, sums: PlayerSums): BadgeDetailsType {
  const { goal, date } = BADGES[badge];
  const counted = goal > 1 ? { progress: Math.min(sums.hardDraws, goal), goal } : { progress: null, goal: null };
  return { badge, reached: sums[date] !== null, reachedAt: sums[date], ...counted };
}
