import { Args, ID, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Player } from '../auth/players/player.entity.js';
import { NAME, NameSource, nameSourceOf, PICTURE, PlayerType, toPlayerType } from '../auth/players/player.type.js';
import { PlayersService } from '../auth/players/players.service.js';
import { Authenticated, requireScope, SignedIn } from '../auth/sessions/session.guard.js';
import type { SignedInPlayer } from '../auth/sessions/session.entity.js';
import { isUuid } from '../base/uuid.js';
import { Env } from '../settings/env.js';
import { MeType } from './me.type.js';
import { AchievementsType, BadgeDetailsType, toAchievements } from './achievements.type.js';
import { PlayerStatsType, PlayerWeekType } from './player-stats.type.js';
import { StatsService } from './stats.service.js';
import { Refusal } from '../web/answers/refusals.js';
import { listOf, reading, readingLimitedList } from '../limits/field.js';
import { numberBetween, parseInput } from '../web/input.js';

const NEEDS_STATS = 'A personal token needs `stats:read`.';

/** The signed-in player. Features add fields of their own. */
@Resolver(() => MeType)
export class MeResolver {
  constructor(
    private readonly stats: StatsService,
    private readonly players: PlayersService,
    private readonly env: Env,
  ) {}

  @Query(() => MeType, {
    description:
      'The signed-in player. Needs an access token, or any personal token: fields name the scope that they need.',
  })
  @Authenticated({ scope: 'any' })
  me(@SignedIn() { playerId, scopes }: SignedInPlayer): MeType {
    return { id: playerId, scopes };
  }

  @ResolveField('name', () => String, { description: NAME, complexity: reading() })
  async nameOf(@Parent() me: MeType): Promise<string> {
    return toPlayerType(await this.profileOf(me), this.env.publicOrigin).name;
  }

  @ResolveField('nameFrom', () => NameSource, { description: 'Who has given the name.', complexity: reading() })
  async nameFrom(@Parent() me: MeType): Promise<NameSource> {
    return nameSourceOf(await this.profileOf(me));
  }

  @ResolveField('picture', () => String, { description: PICTURE, complexity: reading() })
  async pictureOf(@Parent() me: MeType): Promise<string> {
    return toPlayerType(await this.profileOf(me), this.env.publicOrigin).picture;
  }

  @ResolveField('email', () => String, {
    nullable: true,
    description:
      'The verified email address; null where the provider gave none, and for a personal token without `account:read`.',
    complexity: reading(),
  })
  async emailOf(@Parent() me: MeType): Promise<string | null> {
    const { email } = await this.profileOf(me);
    return me.scopes?.includes('account:read') === false ? null : email;
  }

  @ResolveField('stats', () => PlayerStatsType, {
    description: `The stats. ${NEEDS_STATS}`,
    complexity: reading(),
  })
  statsOf(@Parent() { id, scopes }: MeType): Promise<PlayerStatsType> {
    requireScope(scopes, 'stats:read');
    return this.stats.of(id);
  }

  @ResolveField('achievements', () => AchievementsType, {
    description: `What the player has reached. ${NEEDS_STATS}`,
    complexity: reading(),
  })
  async achievementsOf(@Parent() { id, scopes }: MeType): Promise<AchievementsType> {
    requireScope(scopes, 'stats:read');
    return toAchievements(id, await this.stats.sumsOf(id));
  }

  @ResolveField('programGames', () => Int, { description: `Games of programs. ${NEEDS_STATS}`, complexity: reading() })
  async programGamesOf(@Parent() { id, scopes }: MeType): Promise<number> {
    requireScope(scopes, 'stats:read');
    return (await this.stats.sumsOf(id)).programGames;
  }

  @ResolveField('page', () => PlayerType, {
    description:
      'What others would see, also of a hidden player and of a closed page. A personal token needs `stats:read` and `games:read`.',
    complexity: reading(),
  })
  async pageOf(@Parent() me: MeType): Promise<PlayerType> {
    requireScope(me.scopes, 'stats:read');
    requireScope(me.scopes, 'games:read');
    return toPlayerType(await this.profileOf(me), this.env.publicOrigin);
  }

  @ResolveField('pageIsOpen', () => Boolean, { description: 'Whether others may see the page.', complexity: reading() })
  async pageIsOpen(@Parent() me: MeType): Promise<boolean> {
    return (await this.profileOf(me)).pageOpen;
  }

  @Mutation(() => Boolean, { description: 'Opens or closes the page. Boards and rivals stay. Needs an access token.' })
  @Authenticated()
  setPageOpen(
    @SignedIn() { playerId }: SignedInPlayer,
    @Args('open', { description: 'Whether others may see it, which is the answer too.' }) open: boolean,
  ): Promise<boolean> {
    return this.players.setPageOpen(playerId, open);
  }

  /** Read once for all fields. */
  private profileOf(me: MeType): Promise<Player> {
    return (me.profile ??= this.players.byId(me.id).then((player) => {
      if (!player) throw new Refusal('unauthenticated', 'This account no longer exists.');
      return player;
    }));
  }
}

@Resolver(() => PlayerType)
export class PlayerResolver {
  constructor(
    private readonly players: PlayersService,
    private readonly stats: StatsService,
    private readonly env: Env,
  ) {}

  @Query(() => PlayerType, {
    nullable: true,
    description: 'A player. Null for one who is hidden, has closed the page, or does not exist. Needs no access token.',
  })
  async player(
    @Args('id', { type: () => ID, description: 'The id of the player.' }) id: string,
  ): Promise<PlayerType | null> {
    const player = isUuid(id) ? await this.players.shown(id.toLowerCase()) : null;
    return player && toPlayerType(player, this.env.publicOrigin);
  }

  @ResolveField('stats', () => PlayerStatsType, { description: "The player's stats.", complexity: reading() })
  statsOf(@Parent() { id }: PlayerType): Promise<PlayerStatsType> {
    return this.stats.of(id);
  }

  @ResolveField('weeks', () => [PlayerWeekType], {
    description: 'The weeks with a verified game among the last ones, this one included; the oldest first.',
    complexity: readingLimitedList,
  })
  weeksOf(
    @Parent() { id }: PlayerType,
    @Args('last', { type: () => Int, defaultValue: 26, description: 'Among how many weeks, 1 to 26.' }) last: number,
  ): Promise<PlayerWeekType[]> {
    return this.stats.weeksOf(id, parseInput(numberBetween('last', 1, 26), last));
  }

  @ResolveField('badges', () => [BadgeDetailsType], { description: 'Those reached.', complexity: reading(listOf(4)) })
  async badgesOf(@Parent() { id }: PlayerType): Promise<BadgeDetailsType[]> {
    return toAchievements(id, await this.stats.sumsOf(id)).badgeDetails.filter(({ reached }) => reached);
  }

  @ResolveField('bestHardDrawsInARow', () => Int, { description: 'As in `Achievements`.', complexity: reading() })
  async bestHardDrawsOf(@Parent() { id }: PlayerType): Promise<number> {
    return (await this.stats.sumsOf(id)).bestHardDraws;
  }
}
