import { UseGuards } from '@nestjs/common';
import { Args, Int, Mutation, Resolver } from '@nestjs/graphql';
import type { Difficulty as DifficultyName } from '../../game/bot.js';
import {
  NeedsScope,
  SessionCheckedInStatement,
  SessionFirst,
  SignedInGuard,
} from '../auth/sessions/signed-in.guard.js';
import { type ActingPlayer, SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { FinishGameAnswer, type GameCounted, GameRefused } from './finish-game.type.js';
import { Difficulty, GameType } from './game.type.js';
import { GamesService } from './games.service.js';
import { TicketType } from './start-game.type.js';

@Resolver(() => GameType)
@UseGuards(SignedInGuard)
export class GamesResolver {
  constructor(
    private readonly games: GamesService,
    private readonly sessionFirst: SessionFirst,
  ) {}

  @Mutation(() => TicketType, {
    description:
      'Issues a ticket for one game against the bot. The ticket says whether the game will count. The server stores nothing until the game is finished. Needs an access token, or a personal token with `games:write`.',
  })
  @NeedsScope('games:write')
  startGame(
    @SignedIn() player: SignedInPlayer,
    @Args('difficulty', { type: () => Difficulty, description: 'How well the bot plays.' })
    difficulty: DifficultyName,
  ): Promise<TicketType> {
    return this.games.start(player, difficulty);
  }

  @Mutation(() => FinishGameAnswer, {
    description:
      'Sends a finished game. The server replays it and counts the result once, even if the client sends it again. Needs an access token, or a personal token with `games:write`.',
  })
  @SessionCheckedInStatement()
  @NeedsScope('games:write')
  finishGame(
    @SignedIn() player: ActingPlayer,
    @Args('ticket', { description: 'The `token` of the ticket of this game.' }) ticket: string,
    @Args('squares', {
      type: () => [Int],
      description: "The player's own squares in order: 0 to 8, row by row from the top left.",
    })
    squares: number[],
  ): Promise<GameCounted | GameRefused> {
    return this.sessionFirst.run(
      player,
      () => this.games.finish(player, ticket, squares),
      (answer) => answer instanceof GameRefused,
    );
  }
}
