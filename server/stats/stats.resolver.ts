import { UseGuards } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { SessionCheckedInStatement, SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import { SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { PlayerStatsType } from './player-stats.type.js';
import { StatsService } from './stats.service.js';

@Resolver(() => PlayerStatsType)
@UseGuards(SignedInGuard)
export class StatsResolver {
  constructor(private readonly stats: StatsService) {}

  @Query(() => PlayerStatsType, { description: "The signed-in player's stats. Needs an access token." })
  @SessionCheckedInStatement()
  myStats(@SignedIn() player: SignedInPlayer): Promise<PlayerStatsType> {
    return this.stats.ofSession(player);
  }
}
