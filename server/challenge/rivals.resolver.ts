import { Args, ID, Int, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { PlayerType } from '../auth/players/player.type.js';
import type { SignedInPlayer } from '../auth/sessions/session.entity.js';
import { Authenticated, requireScope, SignedIn } from '../auth/sessions/session.guard.js';
import { listOf, reading } from '../limits/field.js';
import { MeType } from '../stats/me.type.js';
import { ChallengePlayService } from './challenge-play.service.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import { MyChallengeService } from './my-challenge.service.js';
import { RivalType } from './rival.type.js';

@Resolver(() => MeType)
export class MyRivalsResolver {
  constructor(
    private readonly ranking: ChallengeRankingService,
    private readonly playing: ChallengePlayService,
  ) {}

  @ResolveField('rivals', () => [RivalType], {
    description: 'The 50 rivals of the latest dares, the latest first. A personal token needs `stats:read`.',
    complexity: reading(listOf(50)),
  })
  rivalsOf(@Parent() { id, scopes }: MeType): Promise<RivalType[]> {
    requireScope(scopes, 'stats:read');
    return this.ranking.rivalsOf(id);
  }

  @Mutation(() => [RivalType], {
    description: 'Ends a rivalry for both, until the next dare, and answers with those left. Needs an access token.',
    complexity: listOf(50),
  })
  @Authenticated()
  async forgetRival(
    @SignedIn() { playerId }: SignedInPlayer,
    @Args('playerId', { type: () => ID, description: 'The rival. Any other text changes nothing.' }) rivalId: string,
  ): Promise<RivalType[]> {
    await this.playing.forgetDares(playerId, rivalId);
    return this.ranking.rivalsOf(playerId);
  }
}

@Resolver(() => PlayerType)
export class PlayerRunResolver {
  constructor(private readonly own: MyChallengeService) {}

  @ResolveField('run', () => Int, {
    description: 'On how many days in a row the player has played the challenge, up to today or yesterday.',
    complexity: reading(),
  })
  runOf(@Parent() { id }: PlayerType): Promise<number> {
    return this.own.runOf(id);
  }
}
