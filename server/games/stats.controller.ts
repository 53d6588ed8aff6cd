import { Controller, Get, Header, Query, UseGuards } from '@nestjs/common';
import { SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import { SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { checked } from '../web/parse-input.js';
import { type RestPlayerStats, requireOwnUserId, statsQuery, toRestStats } from './rest-stats.js';
import { StatsService } from '../stats/stats.service.js';

@Controller('api/player/stats')
@UseGuards(SignedInGuard)
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  async read(@SignedIn() player: SignedInPlayer, @Query() query: unknown): Promise<RestPlayerStats> {
    requireOwnUserId(player, checked(statsQuery, query).userId);
    return toRestStats(await this.stats.ofPlayer(player.playerId));
  }
}
