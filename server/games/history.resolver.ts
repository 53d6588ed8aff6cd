import { Args, ID, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { z } from 'zod';
import { PlayerType } from '../auth/players/player.type.js';
import { requireScope } from '../auth/sessions/session.guard.js';
import { parseInput } from '../web/input.js';
import { GameType } from './game.type.js';
import { HistoryService } from './history.service.js';
import { GameConnection, GamePageArgs } from './history.type.js';
import { MeType } from '../stats/me.type.js';
import { readingLimitedList } from '../limits/field.js';

const idOf = (what: string) => z.uuid({ error: `${what} must be a UUID` }).toLowerCase();
const gameKey = z.object({ playerId: idOf('playerId'), id: idOf('id') });

@Resolver(() => PlayerType)
export class HistoryResolver {
  constructor(private readonly history: HistoryService) {}

  @Query(() => GameType, {
    nullable: true,
    description:
      "A counted game with its moves. Null when the player has no such game, and for a game of today's challenge. Needs no access token.",
  })
  game(
    @Args('playerId', { type: () => ID, description: 'The player: games are stored by player.' }) playerId: string,
    @Args('id', { type: () => ID, description: 'The id of the game.' }) id: string,
  ): Promise<GameType | null> {
    return this.history.game(parseInput(gameKey, { playerId, id }));
  }

  @ResolveField('games', () => GameConnection, {
    complexity: readingLimitedList,
    description: "The player's games, newest first, without those of today's challenge.",
  })
  gamesOf(@Parent() { id }: PlayerType, @Args() page: GamePageArgs): Promise<GameConnection> {
    return this.history.publicPageOf(id, page);
  }
}

@Resolver(() => MeType)
export class MyGamesResolver {
  constructor(private readonly history: HistoryService) {}

  @ResolveField('games', () => GameConnection, {
    complexity: readingLimitedList,
    description: 'The games, newest first. A personal token needs `games:read`.',
  })
  gamesOf(@Parent() { id, scopes }: MeType, @Args() page: GamePageArgs): Promise<GameConnection> {
    requireScope(scopes, 'games:read');
    return this.history.pageOf(id, page);
  }
}
