import { Args, Int, Query, Resolver } from '@nestjs/graphql';
import { parseInput } from '../web/parse-input.js';
import { connectionOf } from '../web/answers/page-info.type.js';
import { DEFAULT_LIMIT, entriesAs } from '../web/limit.js';
import { LeaderboardCache } from './leaderboard-cache.js';
import { LeaderboardConnection } from './leaderboard-connection.type.js';
import { cursor, cursorOf, indexAfter, PAGED_PLACES } from './pages.js';
import { chosenPeriod, Period, WEEK_OF_PERIOD } from './period.js';

/** Pages through the leaderboard. */
@Resolver(() => LeaderboardConnection)
export class LeaderboardConnectionResolver {
  constructor(private readonly cache: LeaderboardCache) {}

  @Query(() => LeaderboardConnection, {
    description: `The leaderboard in pages, up to ${PAGED_PLACES} places. While others enter, no page skips or repeats a player who stays. It may be a second old. Needs no access token.`,
  })
  async leaderboardConnection(
    @Args('first', { type: () => Int, defaultValue: DEFAULT_LIMIT, description: 'How many players, 1 to 100.' })
    first: number,
    @Args('after', { type: () => String, nullable: true, description: 'The cursor of the last player that is known.' })
    after: string | null,
    @Args('period', { type: () => Period, defaultValue: Period.all, description: 'Which games count.' })
    period: Period,
    @Args('week', {
      type: () => String,
      nullable: true,
      description: `${WEEK_OF_PERIOD} Name it for the pages after the first: a new week may begin.`,
    })
    week?: string | null,
  ): Promise<LeaderboardConnection> {
    const count = parseInput(entriesAs('first'), first);
    const place = parseInput(cursor.optional(), after ?? undefined);
    const entries = await this.cache.readDeep(parseInput(chosenPeriod, { period, week: week ?? undefined }));
    const from = place ? indexAfter(entries, place) : 0;
    const edges = entries.slice(from, from + count).map((node) => ({ cursor: cursorOf(node), node }));
    return connectionOf(edges, { hasPreviousPage: from > 0, hasNextPage: from + count < entries.length });
  }
}
