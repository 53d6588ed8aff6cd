import { Controller, Get, Query } from '@nestjs/common';
import { checked } from '../web/checked.js';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';
import { LeaderboardService } from './leaderboard.service.js';
import { limitQuery } from './limit.js';

/** The field names of the REST contract. */
interface RestLeaderboardEntry extends Omit<LeaderboardEntryType, 'playerId' | 'totalGames'> {
  user_id: string;
  total_games: number;
}

const toRestEntry = ({ playerId, totalGames, ...rest }: LeaderboardEntryType): RestLeaderboardEntry => ({
  user_id: playerId,
  ...rest,
  total_games: totalGames,
});

@Controller('api/leaderboard')
export class LeaderboardController {
  constructor(private readonly leaderboard: LeaderboardService) {}

  @Get()
  async top(@Query() query: unknown): Promise<RestLeaderboardEntry[]> {
    const { limit } = checked(limitQuery, query);
    return (await this.leaderboard.top(limit)).map(toRestEntry);
  }
}
