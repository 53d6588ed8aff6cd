import { Args, Context, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { SignedInRequest } from '../auth/sessions/signed-in.js';
import { GameConnection } from '../games/history/game-connection.type.js';
import { pageOfGames } from '../games/history/game-page.js';
import { parseInput } from '../web/parse-input.js';
import { PlayerReportType } from './moderated-player.type.js';
import { HistoryService } from '../games/history/history.service.js';

/** Adds the games to a report, in pages. Challenge games that others still play are not there for a moderator either. */
@Resolver(() => PlayerReportType)
export class PlayerReportResolver {
  constructor(private readonly history: HistoryService) {}

  @ResolveField('games', () => GameConnection, {
    description: "The player's games, newest first, without those of today's challenge.",
  })
  gamesOf(
    @Parent() { player }: PlayerReportType,
    @Context() { req }: { req: SignedInRequest },
    @Args('first', { type: () => Int, nullable: true, defaultValue: 20, description: 'How many games, 1 to 50.' })
    first: number,
    @Args('after', { type: () => String, nullable: true, description: 'The cursor of the last game that is known.' })
    after?: string | null,
  ): Promise<GameConnection> {
    const wanted = parseInput(pageOfGames, { first, after });
    return this.history.pageOf(req.raw, { playerId: player.id, ...wanted }, false);
  }
}
