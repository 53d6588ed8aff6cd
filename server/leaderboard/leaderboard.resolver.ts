import { UseGuards } from '@nestjs/common';
import { Args, Int, Query, Resolver, Subscription } from '@nestjs/graphql';
import { SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import { SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { parseInput } from '../web/parse-input.js';
import { LeaderboardEntryType } from './leaderboard-entry.type.js';
import { LeaderboardService } from './leaderboard.service.js';
import { DEFAULT_LIMIT, limit } from './limit.js';
import { LiveLeaderboard } from './live-leaderboard.js';
import { StandingType } from './standing.type.js';

@Resolver(() => LeaderboardEntryType)
export class LeaderboardResolver {
  constructor(
    private readonly leaderboard: LeaderboardService,
    private readonly live: LiveLeaderboard,
  ) {}

  @Query(() => [LeaderboardEntryType], {
    name: 'leaderboard',
    description:
      'The players who have finished a game, best first: by score, then wins, then fewer losses, then who got there first. Public.',
  })
  top(
    @Args('limit', { type: () => Int, defaultValue: DEFAULT_LIMIT, description: 'How many players, 1 to 100.' })
    wanted: number,
  ): Promise<LeaderboardEntryType[]> {
    return this.leaderboard.top(parseInput(limit, wanted));
  }

  @Query(() => StandingType, {
    nullable: true,
    description: 'Where the signed-in player stands; null before the first finished game. Needs an access token.',
  })
  @UseGuards(SignedInGuard)
  myStanding(@SignedIn() player: SignedInPlayer): Promise<StandingType | null> {
    return this.leaderboard.standingOf(player.playerId);
  }

  @Subscription(() => [LeaderboardEntryType], {
    name: 'leaderboard',
    description: 'The top 10 at once, and again whenever it has changed, at most once a second. Public.',
    resolve: (entries: LeaderboardEntryType[]) => entries,
  })
  watch(): AsyncIterableIterator<LeaderboardEntryType[]> {
    return this.live.watch();
  }
}
