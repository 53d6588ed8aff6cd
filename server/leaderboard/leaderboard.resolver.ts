import { Args, Int, Query, Resolver } from '@nestjs/graphql';
import { checked } from '../web/checked.js';
import { LeaderboardEntryType } from './leaderboard-entry.type.js';
import { LeaderboardService } from './leaderboard.service.js';
import { DEFAULT_LIMIT, limit } from './limit.js';

@Resolver(() => LeaderboardEntryType)
export class LeaderboardResolver {
  constructor(private readonly leaderboard: LeaderboardService) {}

  @Query(() => [LeaderboardEntryType], {
    name: 'leaderboard',
    description:
      'The players who have finished a game, best first: by score, then wins, then fewer losses, then who got there first. Public.',
  })
  top(
    @Args('limit', { type: () => Int, defaultValue: DEFAULT_LIMIT, description: 'How many players, 1 to 100.' })
    wanted: number,
  ): Promise<LeaderboardEntryType[]> {
    return this.leaderboard.top(checked(limit, wanted));
  }
}
