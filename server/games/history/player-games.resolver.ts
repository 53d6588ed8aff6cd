import { Args, Context, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { z } from 'zod';
import { PlayerType } from '../../auth/players/player.type.js';
import { SignedInGuard } from '../../auth/sessions/signed-in.guard.js';
import type { SignedInRequest } from '../../auth/sessions/signed-in.js';
import { parseInput } from '../../web/parse-input.js';
import { GameConnection } from './game-connection.type.js';
import { readCursor } from './game-cursor.js';
import { HistoryService } from './history.service.js';

const firstMessage = { error: 'first must be a whole number from 1 to 50' };
const page = z.object({
  first: z.int(firstMessage).min(1, firstMessage).max(50, firstMessage),
  after: z
    .string()
    .nullish()
    .transform((text, context) => {
      const place = text == null ? undefined : readCursor(text);
      if (text == null || place) return place;
      context.addIssue({ code: 'custom', message: 'after must be the cursor of a game' });
      return z.NEVER;
    }),
});

/** Adds the games to a player: auth/ does not know them. */
@Resolver(() => PlayerType)
export class PlayerGamesResolver {
  constructor(
    private readonly history: HistoryService,
    private readonly guard: SignedInGuard,
  ) {}

  @ResolveField('games', () => GameConnection, {
    description:
      "The player's games, newest first, without archived ones. Those of today's challenge are there for the player alone, with an access token or a personal token with `games:read`.",
  })
  async gamesOf(
    @Parent() { id: playerId }: PlayerType,
    @Context() { req }: { req: SignedInRequest },
    @Args('first', { type: () => Int, nullable: true, defaultValue: 20, description: 'How many games, 1 to 50.' })
    first: number,
    @Args('after', { type: () => String, nullable: true, description: 'The cursor of the last game that is known.' })
    after?: string | null,
  ): Promise<GameConnection> {
    const wanted = parseInput(page, { first, after });
    const isOwn = await this.guard.isOf(req, playerId, 'games:read');
    return this.history.pageOf(req.raw, { playerId, ...wanted }, isOwn);
  }
}
