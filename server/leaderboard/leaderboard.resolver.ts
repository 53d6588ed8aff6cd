import { UseGuards } from '@nestjs/common';
import { Args, Context, Int, Query, Resolver, Subscription } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import { SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { parseInput } from '../web/parse-input.js';
import { LeaderboardAroundType } from './leaderboard-around.type.js';
import { LeaderboardEntryType } from './leaderboard-entry.type.js';
import { LeaderboardCache } from './leaderboard-cache.js';
import { LeaderboardService } from './leaderboard.service.js';
import { DEFAULT_LIMIT, limit, MAX_NEIGHBOURS, neighbours } from './limit.js';
import { LeaderboardPoller } from './leaderboard-poller.js';
import { NeighboursService } from './neighbours.service.js';
import { StandingType } from './standing.type.js';

@Resolver(() => LeaderboardEntryType)
export class LeaderboardResolver {
  constructor(
    private readonly leaderboard: LeaderboardService,
    private readonly cache: LeaderboardCache,
    private readonly poller: LeaderboardPoller,
    private readonly neighbours: NeighboursService,
  ) {}

  @Query(() => [LeaderboardEntryType], {
    name: 'leaderboard',
    description:
      'The players who have finished a game, best first: by score, then wins, then fewer losses, then the earlier time. Public.',
  })
  async top(
    @Context() { req }: { req: FastifyRequest },
    @Args('limit', { type: () => Int, defaultValue: DEFAULT_LIMIT, description: 'How many players, 1 to 100.' })
    wanted: number,
  ): Promise<LeaderboardEntryType[]> {
    const count = parseInput(limit, wanted);
    return (await this.cache.readFor(req.headers, count)).slice(0, count);
  }

  @Query(() => StandingType, {
    nullable: true,
    description: 'Where the signed-in player stands; null before the first finished game. Needs an access token.',
  })
  @UseGuards(SignedInGuard)
  myStanding(@SignedIn() player: SignedInPlayer): Promise<StandingType | null> {
    return this.leaderboard.standingOf(player.playerId);
  }

  @Query(() => LeaderboardAroundType, {
    nullable: true,
    description:
      'The leaderboard around the signed-in player, at any place; null before the first finished game. Needs an access token.',
  })
  @UseGuards(SignedInGuard)
  leaderboardAround(
    @SignedIn() player: SignedInPlayer,
    @Args('before', {
      type: () => Int,
      defaultValue: 1,
      description: `How many players above, 0 to ${MAX_NEIGHBOURS}.`,
    })
    before: number,
    @Args('after', { type: () => Int, defaultValue: 1, description: `How many players below, 0 to ${MAX_NEIGHBOURS}.` })
    after: number,
  ): Promise<LeaderboardAroundType | null> {
    const wanted = parseInput(neighbours, { before, after });
    return this.neighbours.around(player.playerId, wanted.before, wanted.after);
  }

  @Subscription(() => [LeaderboardEntryType], {
    name: 'leaderboard',
    description: 'The top 10 at once, and again whenever it has changed, at most once a second. Public.',
    resolve: (entries: LeaderboardEntryType[]) => entries,
  })
  watch(): AsyncIterableIterator<LeaderboardEntryType[]> {
    return this.poller.watch();
  }
}
