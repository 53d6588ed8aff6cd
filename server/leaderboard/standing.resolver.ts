import { Args, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { z } from 'zod';
import { weekOf } from '../../game/week.js';
import { PlayerType } from '../auth/players/player.type.js';
import { requireScope } from '../auth/sessions/session.guard.js';
import { Clock } from '../base/clock.js';
import { MeType } from '../stats/me.type.js';
import { numberBetween, parseInput } from '../web/input.js';
import { LeaderboardService } from './leaderboard.service.js';
import { LeaderboardEntryType, WEEK_DESCRIPTION, weekName } from './leaderboard.type.js';
import { NeighboursType, StandingType } from './standing.type.js';
import { StandingsService } from './standings.service.js';
import { reading } from '../limits/field.js';

const MAX_NEIGHBOURS = 5;

const count = (name: string) => numberBetween(name, 0, MAX_NEIGHBOURS);
const sides = z.object({ before: count('before'), after: count('after') });
function countOf(where: string) {
  return { type: () => Int, defaultValue: 1, description: `How many players ${where}, 0 to ${MAX_NEIGHBOURS}.` };
}

@Resolver(() => StandingType)
export class StandingResolver {
  constructor(private readonly standings: StandingsService) {}

  @ResolveField('neighbours', () => NeighboursType, {
    description: 'The leaderboard around the player, at any place.',
    complexity: reading(),
  })
  neighboursOf(
    @Parent() standing: StandingType,
    @Args('before', countOf('above')) before: number,
    @Args('after', countOf('below')) after: number,
  ): Promise<NeighboursType> {
    const wanted = parseInput(sides, { before, after });
    return this.standings.around(standing, wanted.before, wanted.after);
  }
}

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
    complexity: reading(),
  })
  standingOf(@Parent() { id, scopes }: MeType): Promise<StandingType | null> {
    requireScope(scopes, 'stats:read');
    return this.standings.of(id);
  }

  @ResolveField('week', () => LeaderboardEntryType, {
    nullable: true,
    description:
      'The player on the leaderboard of one week, with the sums of the week. Null without a verified game in it. A personal token needs `stats:read`.',
    complexity: reading(),
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

@Resolver(() => PlayerType)
export class PlayerStandingResolver {
  constructor(
    private readonly standings: StandingsService,
    private readonly leaderboard: LeaderboardService,
    private readonly clock: Clock,
  ) {}

  @ResolveField('standing', () => StandingType, {
    nullable: true,
    description: 'Where the player stands. Null before the first finished game.',
    complexity: reading(),
  })
  standingOf(@Parent() { id }: PlayerType): Promise<StandingType | null> {
    return this.standings.of(id);
  }

  @ResolveField('week', () => LeaderboardEntryType, {
    nullable: true,
    description: 'The same in this week. Null without a verified game in it.',
    complexity: reading(),
  })
  weekOf(@Parent() { id }: PlayerType): Promise<LeaderboardEntryType | null> {
    return this.leaderboard.entryInWeek(id, weekOf(this.clock.now()));
  }
}
