import { Args, Context, Int, Query, Resolver, Subscription } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { Clock } from '../base/clock.js';
import { parseInput } from '../web/parse-input.js';
import { LeaderboardEntryType } from './leaderboard-entry.type.js';
import { LeaderboardAnswers } from './leaderboard-answers.js';
import { LeaderboardCache } from './leaderboard-cache.js';
import { DEFAULT_LIMIT, limit } from './limit.js';
import { LeaderboardPoller } from './leaderboard-poller.js';
import { chosenPeriod, Period, WEEK, weekIn } from './period.js';

@Resolver(() => LeaderboardEntryType)
export class LeaderboardResolver {
  constructor(
    private readonly cache: LeaderboardCache,
    private readonly answers: LeaderboardAnswers,
    private readonly poller: LeaderboardPoller,
    private readonly clock: Clock,
  ) {}

  @Query(() => [LeaderboardEntryType], {
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
    @Args('week', {
      type: () => String,
      nullable: true,
      description: `${WEEK} Only with the period \`week\`; this week where it is absent.`,
    })
    week?: string | null,
  ): Promise<LeaderboardEntryType[]> {
    const count = parseInput(limit, wanted);
    const chosen = parseInput(chosenPeriod, { period, week: week ?? undefined });
    const entries = await this.answers.read(req, ({ headers }) =>
      this.cache.readFor(headers, count, weekIn(chosen, this.clock.now())),
    );
    return entries.slice(0, count);
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
