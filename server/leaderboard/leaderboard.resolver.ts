import { Args, Context, Extensions, Int, Query, Resolver, Subscription } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { DEFAULT_LIMIT, limit, parseInput } from '../web/input.js';
import { type Entries, LeaderboardCache } from './leaderboard-cache.service.js';
import { chosenPeriod, LeaderboardEntryType, Period, WEEK_OF_PERIOD } from './leaderboard.type.js';
import { LeaderboardPoller } from './leaderboard-poller.service.js';
import { limitedList, listOf } from '../limits/field.js';

@Resolver(() => LeaderboardEntryType)
export class LeaderboardResolver {
  constructor(
    private readonly cache: LeaderboardCache,
    private readonly poller: LeaderboardPoller,
  ) {}

  @Query(() => [LeaderboardEntryType], {
    complexity: limitedList,
    name: 'leaderboard',
    description:
      'The players who have finished a game, best first: by score, then wins, then fewer losses, then the earlier time. With the period `week`, by the verified games of one week. Public.',
  })
  async top(
    @Context() { req }: { req: FastifyRequest },
    @Args('limit', { type: () => Int, defaultValue: DEFAULT_LIMIT, description: 'How many players, 1 to 100.' })
    wanted: number,
    @Args('period', { type: () => Period, defaultValue: Period.all, description: 'Which games count.' })
    period: Period,
    @Args('week', { type: () => String, nullable: true, description: WEEK_OF_PERIOD })
    week?: string | null,
  ): Promise<LeaderboardEntryType[]> {
    const count = parseInput(limit, wanted);
    const chosen = parseInput(chosenPeriod, { period, week: week ?? undefined });
    const entries = await this.cache.readFor(req.raw, count, chosen);
    return entries.slice(0, count);
  }

  // Nest's option `complexity` does not exist for subscriptions.
  @Extensions({ complexity: listOf(10) })
  @Subscription(() => [LeaderboardEntryType], {
    name: 'leaderboard',
    description:
      'The top 10 at once, and again whenever it has changed, at most once a second. With the period `week`, of the current week. Public.',
    resolve: (entries: Entries) => entries,
  })
  watch(
    @Args('period', { type: () => Period, defaultValue: Period.all, description: 'Which games count.' })
    period: Period,
  ): AsyncIterableIterator<Entries> {
    return this.poller.watch(period);
  }
}
