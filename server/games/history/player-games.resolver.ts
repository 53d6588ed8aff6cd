import { Args, Context, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { PlayerType } from '../../auth/players/player.type.js';
import { SignedInGuard } from '../../auth/sessions/signed-in.guard.js';
import type { SignedInRequest } from '../../auth/sessions/signed-in.js';
import { parseInput } from '../../web/parse-input.js';
import { GameConnection } from './game-connection.type.js';
import { pageOfGames } from './game-page.js';
import { HistoryService } from './history.service.js';

/** Adds the games to a player: auth/ does not know them. */
@Resolver(() => PlayerType)
export class PlayerGamesResolver {
  constructor(
    private readonly history: HistoryService,
    private readonly guard: SignedInGuard,
  ) {}

  @ResolveField('games', () => GameConnection, {
    description:
      "The player's games, newest first. Those of today's challenge are there for the player alone, with an access token or a personal token with `games:read`.",
  })
  async gamesOf(
    @Parent() { id: playerId }: PlayerType,
    @Context() { req }: { req: SignedInRequest },
    @Args('first', { type: () => Int, nullable: true, defaultValue: 20, description: 'How many games, 1 to 50.' })
    first: number,
    @Args('after', { type: () => String, nullable: true, description: 'The cursor of the last game that is known.' })
    after?: string | null,
  ): Promise<GameConnection> {
    const wanted = parseInput(pageOfGames, { first, after });
    const isOwn = await this.guard.isOf(req, playerId, 'games:read');
    return this.history.pageOf(req.raw, { playerId, ...wanted }, isOwn);
  }
}
