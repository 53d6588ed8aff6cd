import { UnauthorizedException, UseGuards } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { Env } from '../../settings/env.js';
import { PlayerType, toPlayerType } from '../players/player.type.js';
import { PlayersService } from '../players/players.service.js';
import { SignedInGuard } from './signed-in.guard.js';
import { SignedIn, type SignedInPlayer } from './signed-in.js';

@Resolver(() => PlayerType)
export class MeResolver {
  constructor(
    private readonly players: PlayersService,
    private readonly env: Env,
  ) {}

  @Query(() => PlayerType, { description: 'The signed-in player.' })
  @UseGuards(SignedInGuard)
  async me(@SignedIn() { playerId }: SignedInPlayer): Promise<PlayerType> {
    const player = await this.players.byId(playerId);
    if (!player) throw new UnauthorizedException('This account no longer exists.');
    return toPlayerType(player, this.env.publicOrigin);
  }
}
