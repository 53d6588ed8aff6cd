import { Args, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { GameConnection, GamePageArgs } from '../games/history.type.js';
import { HistoryService } from '../games/history.service.js';
import { PlayerReportType } from './moderated-player.type.js';

/** Adds the games to a report, in pages. Challenge games that others still play are not there for a moderator either. */
@Resolver(() => PlayerReportType)
export class PlayerReportResolver {
  constructor(private readonly history: HistoryService) {}

  @ResolveField('games', () => GameConnection, {
    description: "The player's games, newest first, without those of today's challenge.",
  })
  gamesOf(@Parent() { player }: PlayerReportType, @Args() page: GamePageArgs): Promise<GameConnection> {
    return this.history.publicPageOf(player.id, page);
  }
}
