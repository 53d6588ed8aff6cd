import { UseGuards } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import {
  NeedsScope,
  SessionCheckedInStatement,
  SessionFirst,
  SignedInGuard,
} from '../auth/sessions/signed-in.guard.js';
import { SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { PlayerStatsType } from './player-stats.type.js';
import { StatsService } from './stats.service.js';

@Resolver(() => PlayerStatsType)
@UseGuards(SignedInGuard)
export class StatsResolver {
  constructor(
    private readonly stats: StatsService,
    private readonly sessionFirst: SessionFirst,
  ) {}

  @Query(() => PlayerStatsType, {
    description: "The signed-in player's stats. Needs an access token, or a personal token with `stats:read`.",
    deprecationReason: 'Use `me { stats }`. Deprecated since 2026-11-24.',
  })
  @SessionCheckedInStatement()
  @NeedsScope('stats:read')
  myStats(@SignedIn() player: SignedInPlayer): Promise<PlayerStatsType> {
    return this.sessionFirst.run(player, () => this.stats.ofSession(player));
  }
}
