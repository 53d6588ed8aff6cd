import { Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { toPosition } from './challenge-answers.js';
import { ChallengeDays } from './challenge-days.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import { ChallengeAttemptType, ChallengePositionType } from './challenge.type.js';

/** The position of an attempt's day, with the player's answer. */
@Resolver(() => ChallengeAttemptType)
export class ChallengePositionResolver {
  constructor(
    private readonly days: ChallengeDays,
    private readonly ranking: ChallengeRankingService,
  ) {}

  @ResolveField('position', () => ChallengePositionType, {
    nullable: true,
    description: 'The position of the day. Null for another day than today on which nobody played.',
  })
  async position(@Parent() { day, positionSquare }: ChallengeAttemptType): Promise<ChallengePositionType | null> {
    const content = await this.days.begunOf(day);
    return content?.position ? toPosition(content.position, positionSquare, this.ranking.isPublished(day)) : null;
  }
}
