import { Args, ID, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Player } from '../auth/players/player.entity.js';
import { NAME, NameSource, nameSourceOf, PICTURE, PlayerType, toPlayerType } from '../auth/players/player.type.js';
import { PlayersService } from '../auth/players/players.service.js';
import { Authenticated, requireScope, SignedIn } from '../auth/sessions/session.guard.js';
import type { SignedInPlayer } from '../auth/sessions/session.entity.js';
import { isUuid } from '../base/uuid.js';
import { Env } from '../settings/env.js';
import { MeType } from './me.type.js';
import { PlayerStatsType } from './player-stats.type.js';
import { StatsService } from './stats.service.js';
import { Refusal } from '../web/answers/refusals.js';
import { reading } from '../limits/field.js';

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
    description: 'The stats. A personal token needs `stats:read`.',
    complexity: reading(),
  })
  statsOf(@Parent() { id, scopes }: MeType): Promise<PlayerStatsType> {
    requireScope(scopes, 'stats:read');
    return this.stats.of(id);
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
    description:
      'A player. Null for a hidden player, and for one who does not exist or is gone. Needs no access token.',
  })
  async player(
    @Args('id', { type: () => ID, description: 'The id of the player.' }) id: string,
  ): Promise<PlayerType | null> {
    const player = isUuid(id) ? await this.players.listed(id.toLowerCase()) : null;
    return player && toPlayerType(player, this.env.publicOrigin);
  }

  @ResolveField('stats', () => PlayerStatsType, { description: "The player's stats.", complexity: reading() })
  statsOf(@Parent() { id }: PlayerType): Promise<PlayerStatsType> {
    return this.stats.of(id);
  }
}
