import { UseGuards } from '@nestjs/common';
import { Args, Context, ID, Info, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { PlayerType, PROFILE_FIELDS, toPlayerType } from '../auth/players/player.js';
import { PlayersService } from '../auth/players/players.service.js';
import {
  NeedsScope,
  requireScope,
  SessionCheckedInStatement,
  SignedIn,
  SignedInGuard,
  type SignedInRequest,
} from '../auth/sessions/session-guards.js';
import type { SignedInPlayer } from '../auth/sessions/session.js';
import { isUuid } from '../base/uuid.js';
import { Env } from '../settings/env.js';
import { DatabaseTurns } from '../web/requests/database-turns.js';
import { MeType, PlayerStatsType } from './player-stats.type.js';
import { StatsService } from './stats.service.js';
import { Refusal } from '../web/answers/refusals.js';

/** The signed-in player. Features add fields of their own. */
@Resolver(() => MeType)
export class MeResolver {
  constructor(
    private readonly stats: StatsService,
    private readonly players: PlayersService,
    private readonly guard: SignedInGuard,
    private readonly turns: DatabaseTurns,
    private readonly env: Env,
  ) {}

  /** Reads what the fields need that are asked for, and the stats in one statement with the check of the session. */
  @Query(() => MeType, {
    description:
      'The signed-in player. Needs an access token, or any personal token: fields name the scope that they need.',
  })
  @UseGuards(SignedInGuard)
  @SessionCheckedInStatement()
  @NeedsScope('any')
  async me(
    @SignedIn() player: SignedInPlayer,
    @Context() { req }: { req: SignedInRequest },
    @Info() info: GraphQLResolveInfo,
  ): Promise<Partial<MeType>> {
    const asked = fieldsAskedIn(info);
    const me = { id: player.playerId, scopes: player.scopes };
    const stats = asked.has('stats') ? await this.statsOf(player, req) : undefined;
    if (!stats) await this.guard.requireLiveSession(req);
    if (!PROFILE_FIELDS.some((field) => asked.has(field))) return { ...me, stats };
    const profile = await this.turns.run(req.raw, 'reads', () => this.players.byId(player.playerId));
    if (!profile) throw new Refusal('unauthenticated', 'This account no longer exists.');
    const email = player.scopes?.includes('account:read') === false ? null : profile.email;
    return { ...me, ...toPlayerType(profile, this.env.publicOrigin), email, stats };
  }

  private statsOf(player: SignedInPlayer, req: SignedInRequest): Promise<MeType['stats']> {
    return this.guard.checkBeforeRefusal(req, () => {
      requireScope(player.scopes, 'stats:read');
      return this.stats.ofSession(player);
    });
  }
}

/** The names of the fields below this one, also where a directive leaves them out. */
function fieldsAskedIn({ fieldNodes, fragments }: GraphQLResolveInfo): Set<string> {
  const names = new Set<string>();
  const collect = ({ selections }: SelectionSetNode) => {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) names.add(node.name.value);
      else collect(node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments[node.name.value]!.selectionSet);
    }
  };
  for (const { selectionSet } of fieldNodes) collect(selectionSet!);
  return names;
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

  @ResolveField('stats', () => PlayerStatsType, { description: "The player's stats." })
  statsOf(@Parent() { id }: PlayerType): Promise<PlayerStatsType> {
    return this.stats.ofPlayer(id);
  }
}
