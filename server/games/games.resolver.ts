import { Args, Int, Mutation, Resolver } from '@nestjs/graphql';
import type { Difficulty as DifficultyName } from '../../game/bot.js';
import { Authenticated, SignedIn } from '../auth/sessions/session.guard.js';
import type { ActingPlayer, SignedInPlayer } from '../auth/sessions/session.entity.js';
import {
  type BotMoved,
  Difficulty,
  FinishGameAnswer,
  type GameCounted,
  GameRefused,
  GameType,
  PlayBotMoveAnswer,
  TicketType,
} from './game.type.js';
import { GamesService } from './games.service.js';

const TICKET = { description: 'The `token` of the ticket of this game.' };
const SQUARES = {
  type: () => [Int],
  description: "The player's own squares in order: 0 to 8, row by row from the top left.",
};

@Resolver(() => GameType)
@Authenticated({ scope: 'games:write' })
export class GamesResolver {
  constructor(private readonly games: GamesService) {}

  @Mutation(() => TicketType, {
    description:
      'Issues a ticket for one game against the bot. The ticket says whether the game counts today. The server stores nothing until the game is finished. Needs an access token, or a personal token with `games:write`.',
  })
  startGame(
    @SignedIn() player: SignedInPlayer,
    @Args('difficulty', { type: () => Difficulty, description: 'How well the bot plays.' })
    difficulty: DifficultyName,
  ): Promise<TicketType> {
    return this.games.start(player, difficulty);
  }

  @Mutation(() => PlayBotMoveAnswer, {
    description:
      "Answers with the bot's move after the player's squares, for programs that do not play the bot themselves. It stores nothing: the same squares get the same answer. Needs an access token, or a personal token with `games:write`.",
  })
  playBotMove(
    @SignedIn() player: SignedInPlayer,
    @Args('ticket', TICKET) ticket: string,
    @Args('squares', SQUARES) squares: number[],
  ): BotMoved | GameRefused {
    return this.games.move(player, ticket, squares);
  }

  @Mutation(() => FinishGameAnswer, {
    description:
      'Sends a finished game. The server replays it and counts the result once, even if the client sends it again. Needs an access token, or a personal token with `games:write`.',
  })
  finishGame(
    @SignedIn() player: ActingPlayer,
    @Args('ticket', TICKET) ticket: string,
    @Args('squares', SQUARES) squares: number[],
  ): Promise<GameCounted | GameRefused> {
    return this.games.finish(player, ticket, squares);
  }
}
