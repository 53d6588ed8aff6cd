import { UseGuards } from '@nestjs/common';
import { Args, Int, Query, Resolver } from '@nestjs/graphql';
import { weekOf } from '../../game/week.js';
import { NeedsScope, SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import { SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { Clock } from '../base/clock.js';
import { parseInput } from '../web/parse-input.js';
import { LeaderboardAroundType } from './leaderboard-around.type.js';
import { LeaderboardService } from './leaderboard.service.js';
import { MAX_NEIGHBOURS, neighbours } from './neighbours.js';
import { NeighboursService } from './neighbours.service.js';
import { WEEK_DESCRIPTION, weekName } from './period.js';
import { StandingType } from './standing.type.js';
import { StandingsService } from './standings.service.js';
import { WeekStandingType } from './week-standing.type.js';

/** Where the signed-in player stands. */
@Resolver(() => StandingType)
export class StandingResolver {
  constructor(
    private readonly standings: StandingsService,
    private readonly neighbours: NeighboursService,
    private readonly leaderboard: LeaderboardService,
    private readonly clock: Clock,
  ) {}

  @Query(() => WeekStandingType, {
    nullable: true,
    description:
      'Where the signed-in player stands in one week; null without a verified game in it. Needs an access token, or a personal token with `stats:read`.',
  })
  @UseGuards(SignedInGuard)
  @NeedsScope('stats:read')
  myWeek(
    @SignedIn() player: SignedInPlayer,
    @Args('week', {
      type: () => String,
      nullable: true,
      description: `${WEEK_DESCRIPTION} This week where it is absent.`,
    })
    week?: string | null,
  ): Promise<WeekStandingType | null> {
    const chosen = parseInput(weekName.optional(), week ?? undefined) ?? weekOf(this.clock.now());
    return this.leaderboard.standingInWeek(player.playerId, chosen);
  }

  @Query(() => StandingType, {
    nullable: true,
    description:
      'Where the signed-in player stands; null before the first finished game. Needs an access token, or a personal token with `stats:read`.',
    deprecationReason: 'Use `me { standing }`. Deprecated since 2026-11-24.',
  })
  @UseGuards(SignedInGuard)
  @NeedsScope('stats:read')
  myStanding(@SignedIn() player: SignedInPlayer): Promise<StandingType | null> {
    return this.standings.of(player.playerId);
  }

  @Query(() => LeaderboardAroundType, {
    nullable: true,
    description:
      'The leaderboard around the signed-in player, at any place; null before the first finished game. Needs an access token, or a personal token with `stats:read`.',
  })
  @UseGuards(SignedInGuard)
  @NeedsScope('stats:read')
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
}
