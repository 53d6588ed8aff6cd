import { UseGuards } from '@nestjs/common';
import { Args, ID, Int, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Authenticated } from '../auth/sessions/session.guard.js';
import { GameConnection, GamePageArgs } from '../games/history.type.js';
import { HistoryService } from '../games/history.service.js';
import { AuditConnection } from './audit.type.js';
import { MeType } from '../stats/me.type.js';
import { ModeratedPlayerConnection, PlayerList, PlayerOrder, PlayerReportType } from './moderated-player.type.js';
import { ModerationQueries } from './moderation-queries.service.js';
import { Moderators } from './moderators.guard.js';
import { limitedList, reading, readingLimitedList } from '../limits/field.js';

const NEEDS = 'Needs an access token of a moderator, otherwise it is NOT_A_MODERATOR.';

/** What a moderator sees. No personal token may ask for it. */
@Resolver()
@UseGuards(Moderators)
@Authenticated()
export class ModerationResolver {
  constructor(private readonly queries: ModerationQueries) {}

  @Query(() => ModeratedPlayerConnection, {
    complexity: limitedList,
    description: `Players for moderators, in pages. ${NEEDS}`,
  })
  moderatedPlayers(
    @Args('search', {
      type: () => String,
      nullable: true,
      description:
        'Only the player with this id or email address, and those with this in their names; at most 100 characters.',
    })
    search: string | null,
    @Args('list', { type: () => PlayerList, defaultValue: PlayerList.all, description: 'Which players.' })
    list: keyof typeof PlayerList,
    @Args('orderBy', { type: () => PlayerOrder, defaultValue: PlayerOrder.date, description: 'In which order.' })
    orderBy: keyof typeof PlayerOrder,
    @Args('first', { type: () => Int, defaultValue: 20, description: 'How many players, 1 to 100.' }) first: number,
    @Args('after', {
      type: () => String,
      nullable: true,
      description: 'The cursor of the last player that is known, of the same list in the same order.',
    })
    after?: string | null,
  ): Promise<ModeratedPlayerConnection> {
    const given = { search: search ?? undefined, first, after: after ?? undefined };
    return this.queries.players({ list, orderBy }, given);
  }

  @Query(() => PlayerReportType, {
    nullable: true,
    description: `All that a moderator sees of a player. Null when there is no such player. ${NEEDS}`,
  })
  playerReport(
    @Args('id', { type: () => ID, description: 'The id of the player.' }) id: string,
  ): Promise<PlayerReportType | null> {
    return this.queries.report(id);
  }

  @Query(() => AuditConnection, {
    complexity: limitedList,
    description: `Who changed what and why, the newest first: what moderators and operators have done. ${NEEDS}`,
  })
  audit(
    @Args('playerId', { type: () => ID, nullable: true, description: 'Only entries about this player.' })
    playerId: string | null,
    @Args('first', { type: () => Int, defaultValue: 20, description: 'How many entries, 1 to 100.' }) first: number,
    @Args('after', { type: () => String, nullable: true, description: 'The cursor of the last entry that is known.' })
    after?: string | null,
  ): Promise<AuditConnection> {
    return this.queries.audit({ playerId: playerId ?? null, first, after: after ?? null });
  }
}

/** Adds the games to a report, in pages. Challenge games that others still play are not there for a moderator either. */
@Resolver(() => PlayerReportType)
export class PlayerReportResolver {
  constructor(private readonly history: HistoryService) {}

  @ResolveField('games', () => GameConnection, {
    complexity: readingLimitedList,
    description: "The player's games, newest first, without those of today's challenge.",
  })
  gamesOf(@Parent() { player }: PlayerReportType, @Args() page: GamePageArgs): Promise<GameConnection> {
    return this.history.publicPageOf(player.id, page);
  }
}

/** Tells the page of a moderator that it is one: games/ does not know moderators. */
@Resolver(() => MeType)
export class ModeratorResolver {
  constructor(private readonly moderators: Moderators) {}

  @ResolveField('isModerator', () => Boolean, {
    description: 'Whether the player is a moderator. It is false for a personal token.',
    complexity: reading(),
  })
  async isModerator(@Parent() { id, scopes }: MeType): Promise<boolean> {
    return !scopes && this.moderators.include(id);
  }
}
