import { Args, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { weekOf } from '../../game/week.js';
import { requireScope } from '../auth/sessions/signed-in.guard.js';
import { Clock } from '../base/clock.js';
import { MeType } from '../stats/me.type.js';
import { parseInput } from '../web/parse-input.js';
import { LeaderboardEntryType } from './leaderboard-entry.type.js';
import { LeaderboardService } from './leaderboard.service.js';
import { WEEK_DESCRIPTION, weekName } from './period.js';
import { StandingType } from './standing.type.js';
import { StandingsService } from './standings.service.js';

/** Where the signed-in player stands. */
@Resolver(() => MeType)
export class MyPlacesResolver {
  constructor(
    private readonly standings: StandingsService,
    private readonly leaderboard: LeaderboardService,
    private readonly clock: Clock,
  ) {}

  @ResolveField('standing', () => StandingType, {
    nullable: true,
    description:
      'Where the player stands. Null before the first finished game, and for a hidden player. A personal token needs `stats:read`.',
  })
  standingOf(@Parent() { id, scopes }: MeType): Promise<StandingType | null> {
    requireScope(scopes, 'stats:read');
    return this.standings.of(id);
  }

  @ResolveField('week', () => LeaderboardEntryType, {
    nullable: true,
    description:
      'The player on the leaderboard of one week, with the sums of the week. Null without a verified game in it. A personal token needs `stats:read`.',
  })
  weekOf(
    @Parent() { id, scopes }: MeType,
    @Args('week', {
      type: () => String,
      nullable: true,
      description: `${WEEK_DESCRIPTION} This week where it is absent.`,
    })
    week?: string | null,
  ): Promise<LeaderboardEntryType | null> {
    requireScope(scopes, 'stats:read');
    const chosen = parseInput(weekName.optional(), week ?? undefined) ?? weekOf(this.clock.now());
    return this.leaderboard.entryInWeek(id, chosen);
  }
}
