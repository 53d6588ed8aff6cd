import { Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { requireScope } from '../auth/sessions/signed-in.guard.js';
import { MeType } from '../stats/me.type.js';
import { AchievementsService } from './achievements.service.js';
import { AchievementsType } from './achievements.type.js';

@Resolver(() => MeType)
export class AchievementsResolver {
  constructor(private readonly achievements: AchievementsService) {}

  @ResolveField('achievements', () => AchievementsType, {
    description: 'What the player has reached. A personal token needs `stats:read`.',
  })
  achievementsOf(@Parent() { id, scopes }: MeType): Promise<AchievementsType> {
    requireScope(scopes, 'stats:read');
    return this.achievements.of(id);
  }
}
