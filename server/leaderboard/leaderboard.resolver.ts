import { UseGuards } from '@nestjs/common';
import { Args, Context, Int, Query, Resolver, Subscription } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { weekOf } from '../../game/week.js';
import { SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import { SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { Clock } from '../base/clock.js';
import { parseInput } from '../web/parse-input.js';
import { LeaderboardAroundType } from './leaderboard-around.type.js';
import { LeaderboardEntryType } from './leaderboard-entry.type.js';
import { LeaderboardAnswers } from './leaderboard-answers.js';
import { LeaderboardCache } from './leaderboard-cache.js';
import { LeaderboardService } from './leaderboard.service.js';
import { DEFAULT_LIMIT, limit, MAX_NEIGHBOURS, neighbours } from './limit.js';
import { LeaderboardPoller } from './leaderboard-poller.js';
import { NeighboursService } from './neighbours.service.js';
import { chosenPeriod, Period, weekIn, weekName } from './period.js';
import { StandingType } from './standing.type.js';
import { WeekStandingType } from './week-standing.type.js';

const WEEK = 'The Monday on which the week begins, in UTC, for example `2026-01-26`.';

@Resolver(() => LeaderboardEntryType)
export class LeaderboardResolver {
  constructor(
    private readonly leaderboard: LeaderboardService,
    private readonly cache: LeaderboardCache,
    private readonly answers: LeaderboardAnswers,
    private readonly poller: LeaderboardPoller,
    private readonly neighbours: NeighboursService,
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

  @Query(() => WeekStandingType, {
    nullable: true,
    description:
      'Where the signed-in player stands in one week; null without a verified game in it. Needs an access token.',
  })
  @UseGuards(SignedInGuard)
  myWeek(
    @SignedIn() player: SignedInPlayer,
    @Args('week', { type: () => String, nullable: true, description: `${WEEK} This week where it is absent.` })
    week?: string | null,
  ): Promise<WeekStandingType | null> {
    const chosen = parseInput(weekName.optional(), week ?? undefined) ?? weekOf(this.clock.now());
    return this.leaderboard.standingInWeek(player.playerId, chosen);
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
