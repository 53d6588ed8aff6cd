import { Controller, Get, Header, HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DIFFICULTIES } from '../../../game/bot.js';
import {
  NeedsScope,
  SessionCheckedInStatement,
  SessionFirst,
  SignedInGuard,
} from '../../auth/sessions/signed-in.guard.js';
import { type ActingPlayer, SignedIn, type SignedInPlayer } from '../../auth/sessions/signed-in.js';
import { parseInput } from '../../web/parse-input.js';
import { jsonBodyOf } from '../../web/requests/json-body.js';
import { DatabaseTurns } from '../../web/requests/database-turns.js';
import { GameRefused } from '../finish-game.type.js';
import { GamesService } from '../games.service.js';
import { HistoryService } from '../history.service.js';
import { readPublicGameId } from '../public-id.js';
import { toRestStats } from './rest-stats.js';
import { toRestGame } from './rest-game.js';
import { CodedException } from '../../web/answers/codes.js';

const newGame = z.strictObject({
  difficulty: z.enum(DIFFICULTIES, { error: `difficulty must be one of: ${DIFFICULTIES.join(', ')}` }),
});

const moves = z.strictObject({
  ticket: z.string({ error: 'ticket must be the ticket of this game, as POST /api/games has answered it' }),
  squares: z
    .array(z.int().min(0).max(8), { error: 'squares must be your own squares in order, each 0 to 8' })
    .max(9, 'squares must be 9 at most'),
});

/** Verified games over REST, for programs: a ticket, the bot's moves, and the count. */
@Controller('api/games')
export class GamesController {
  constructor(
    private readonly games: GamesService,
    private readonly history: HistoryService,
    private readonly sessionFirst: SessionFirst,
    private readonly turns: DatabaseTurns,
  ) {}

  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @UseGuards(SignedInGuard)
  @NeedsScope('games:write')
  async start(@SignedIn() player: SignedInPlayer, @Req() request: FastifyRequest) {
    const { difficulty } = parseInput(newGame, jsonBodyOf(request));
    const { gameId, token, expiresAt, countsFrom, ...rest } = await this.turns.run(request.raw, 'gameReads', () =>
      this.games.start(player, difficulty),
    );
    return { id: gameId, ...rest, ticket: token, expires_at: expiresAt, counts_from: countsFrom };
  }

  /** Stores nothing: the ticket determines the bot's moves. */
  @Post(':id/moves')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @UseGuards(SignedInGuard)
  @NeedsScope('games:write')
  move(@SignedIn() player: SignedInPlayer, @Param('id') id: string, @Req() request: FastifyRequest) {
    const { ticket, squares } = parseInput(moves, jsonBodyOf(request));
    const answer = accepted(this.games.move(player, ticket, squares, id));
    return { moves: answer.moves, bot_square: answer.botSquare, result: answer.result };
  }

  /** May be sent again: it counts once, and the answer is the same. */
  @Post(':id/finish')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @UseGuards(SignedInGuard)
  @NeedsScope('games:write')
  @SessionCheckedInStatement()
  finish(@SignedIn() player: ActingPlayer, @Param('id') id: string, @Req() request: FastifyRequest) {
    return this.sessionFirst.run(player, async () => {
      const { ticket, squares } = parseInput(moves, jsonBodyOf(request));
      const { game, stats, countsFrom } = accepted(await this.games.finish(player, ticket, squares, id));
      return { game: toRestGame(game), stats: toRestStats(stats), counts_from: countsFrom };
    });
  }

  /** Anybody may read a counted game. */
  @Get(':id')
  @Header('Cache-Control', 'no-cache')
  async read(@Param('id') id: string, @Req() { raw }: FastifyRequest) {
    const key = readPublicGameId(id);
    const game = key && (await this.turns.run(raw, 'gameReads', () => this.history.game(key)));
    if (!game) throw new CodedException('not_found', 'There is no such game.');
    return toRestGame(game);
  }
}

/** @throws {CodedException} with the reason as its code */
function accepted<Answer extends object>(answer: Answer | GameRefused): Answer {
  if (!(answer instanceof GameRefused)) return answer;
  throw new CodedException(answer.reason, answer.message);
}
