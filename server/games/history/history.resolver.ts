import { UseGuards } from '@nestjs/common';
import { Args, Context, ID, Int, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { z } from 'zod';
import { PlayerType } from '../../auth/players/player.type.js';
import { NeedsScope, SignedInGuard } from '../../auth/sessions/signed-in.guard.js';
import { SignedIn, type SignedInPlayer, type SignedInRequest } from '../../auth/sessions/signed-in.js';
import { ShownPlayers } from '../../auth/shown-players.service.js';
import { parseInput } from '../../web/parse-input.js';
import { GameType } from '../game.type.js';
import { HistoryService } from './history.service.js';
import { readPublicGameId } from '../public-id.js';

const gameId = z.string().transform((text, context) => {
  const key = readPublicGameId(text);
  if (key) return key;
  context.addIssue({ code: 'custom', message: 'id must be the id of a game' });
  return z.NEVER;
});
const limitMessage = { error: 'limit must be a whole number from 1 to 50' };
const gamesLimit = z.int(limitMessage).min(1, limitMessage).max(50, limitMessage);

@Resolver(() => GameType)
export class HistoryResolver {
  constructor(
    private readonly history: HistoryService,
    private readonly players: ShownPlayers,
  ) {}

  @Query(() => GameType, {
    nullable: true,
    description: 'A counted game with its moves. Null when there is no such game. Needs no access token.',
  })
  game(@Args('id', { type: () => ID, description: 'The id of the game.' }) id: string): Promise<GameType | null> {
    return this.history.game(parseInput(gameId, id));
  }

  @Query(() => [GameType], {
    description:
      "The signed-in player's last games, newest first. Needs an access token, or a personal token with `games:read`.",
    deprecationReason: 'Use `me { games }`. Deprecated since 2026-11-24.',
  })
  @UseGuards(SignedInGuard)
  @NeedsScope('games:read')
  myGames(
    @SignedIn() player: SignedInPlayer,
    @Args('limit', { type: () => Int, defaultValue: 10, description: 'How many games, 1 to 50.' }) limit: number,
  ): Promise<GameType[]> {
    return this.history.lastOf(player.playerId, parseInput(gamesLimit, limit));
  }

  @ResolveField('player', () => PlayerType, {
    nullable: true,
    description:
      'Who played it; after a merge of accounts, the player who has it. Null where the player is hidden or gone.',
  })
  playerOf(@Parent() game: GameType, @Context() { req }: { req: SignedInRequest }): Promise<PlayerType | null> {
    return this.players.ownerOf(req, readPublicGameId(game.id)!.playerId);
  }
}
