import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { PlayerType } from '../auth/players/player.type.js';
import { SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import type { SignedInRequest } from '../auth/sessions/signed-in.js';
import { PlayerStatsType } from './player-stats.type.js';
import { StatsService } from './stats.service.js';

/** Adds the stats to a player: auth/ does not know them. */
@Resolver(() => PlayerType)
export class PlayerStatsResolver {
  constructor(
    private readonly stats: StatsService,
    private readonly guard: SignedInGuard,
  ) {}

  @ResolveField('stats', () => PlayerStatsType, {
    nullable: true,
    description:
      "The player's stats. Those of a hidden player are null, except for the player: with an access token, or a personal token with `stats:read`.",
  })
  async statsOf(
    @Parent() { id }: PlayerType,
    @Context() { req }: { req: SignedInRequest },
  ): Promise<PlayerStatsType | null> {
    const { stats, listed } = await this.stats.shown.load(req.raw, id);
    return listed || (await this.guard.isOf(req, id, 'stats:read')) ? stats : null;
  }
}
