import { Args, ID, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { PlayerType, toPlayerType } from '../auth/players/player.type.js';
import { PlayersService } from '../auth/players/players.service.js';
import { isUuid } from '../base/uuid.js';
import { Env } from '../settings/env.js';
import { PlayerStatsType } from './player-stats.type.js';
import { StatsService } from './stats.service.js';

/** Players as everybody may see them. */
@Resolver(() => PlayerType)
export class PlayerResolver {
  constructor(
    private readonly players: PlayersService,
    private readonly stats: StatsService,
    private readonly env: Env,
  ) {}

  @Query(() => PlayerType, {
    nullable: true,
    description:
      'A player. Null for a hidden player, and for one who does not exist or is gone. Needs no access token.',
  })
  async player(
    @Args('id', { type: () => ID, description: 'The id of the player.' }) id: string,
  ): Promise<PlayerType | null> {
    const player = isUuid(id) ? await this.players.listed(id.toLowerCase()) : null;
    return player && toPlayerType(player, this.env.publicOrigin);
  }

  @ResolveField('stats', () => PlayerStatsType, { description: "The player's stats." })
  statsOf(@Parent() { id }: PlayerType): Promise<PlayerStatsType> {
    return this.stats.ofPlayer(id);
  }
}
