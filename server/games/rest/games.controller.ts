import { Controller, Get, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  NeedsScope,
  SessionCheckedInStatement,
  SessionFirst,
  SignedInGuard,
} from '../../auth/sessions/signed-in.guard.js';
import { type ActingPlayer, SignedIn, type SignedInPlayer } from '../../auth/sessions/signed-in.js';
import { Clock } from '../../base/clock.js';
import { CodedException } from '../../web/answers/codes.js';
import { publicAnswer, sendPublic } from '../../web/answers/public-answer.js';
import { parseInput } from '../../web/parse-input.js';
import { DatabaseTurns } from '../../web/requests/database-turns.js';
import { jsonBodyOf } from '../../web/requests/json-body.js';
import { keyHeader, RestOperation, time } from '../../web/rest/operation.js';
import { GameRefused, type RefusalReason } from '../finish-game.type.js';
import { GamesService } from '../games.service.js';
import { HistoryService } from '../history/history.service.js';
import { readPublicGameId } from '../public-id.js';
import { difficulty, GAME_ID, restGame, result, square, toRestGame } from './rest-game.js';
import { restStats, toRestStats } from '../../stats/rest-stats.js';

const gameId = z.object({ id: z.string().describe('The id of the game.') });

const SQUARES = { error: 'squares must be your own squares in order, each 0 to 8' };

const moves = z.strictObject({
  ticket: z.string({ error: 'ticket must be the ticket of this game, as POST /api/games has answered it' }),
  squares: z.array(z.int(SQUARES).min(0, SQUARES).max(8, SQUARES), SQUARES).max(9, 'squares must be 9 at most'),
});
const EXAMPLE = { ticket: 'AQDPhfp6c1dLQ5…', squares: [4, 0, 8] };

/** What a ticket cannot do, and what time heals. */
const OF_TICKETS = ['ticket_invalid', 'ticket_expired', 'ticket_of_another_player', 'illegal_move'] as const;

const START = {
  id: 'startGame',
  tag: 'Games',
  summary: 'Start a verified game',
  description:
    'Nothing is stored until the game is finished. The same key and difficulty give the same game on one UTC day.',
  headers: keyHeader,
  body: z.strictObject({ difficulty }).meta({ examples: [{ difficulty: 'easy' }] }),
  answer: z
    .object({
      id: z.string(),
      difficulty,
      seed: z.string().describe('Of the bot’s random choices: 32 hexadecimal digits.'),
      counts: z.boolean().describe('False when the player has the most games that count today.'),
      ticket: z.string().describe('Send it with each move, and at the end.'),
      expires_at: time,
      counts_from: time.nullable().describe('When games count again.'),
    })
    .meta({
      id: 'Ticket',
      examples: [
        {
          ...{ id: GAME_ID, difficulty: 'easy', seed: '9f86d081884c7d659a2feaa0c55ad015', counts: true },
          ...{ ticket: EXAMPLE.ticket, expires_at: '2026-12-01T12:00:00.000Z', counts_from: null },
        },
      ],
    }),
} as const;

const MOVE = {
  id: 'playBotMove',
  tag: 'Games',
  summary: 'Ask for the bot’s answer',
  description: 'Stores nothing: the same squares get the same answer.',
  path: gameId,
  body: moves.meta({ examples: [EXAMPLE] }),
  answer: z
    .object({ moves: z.array(square), bot_square: square.nullable(), result: result.nullable() })
    .meta({ id: 'BotMoved', examples: [{ moves: [4, 1, 0, 8], bot_square: 8, result: null }] }),
  refusals: OF_TICKETS,
} as const;

const FINISH = {
  id: 'finishGame',
  tag: 'Games',
  summary: 'Finish a game, so that it counts',
  description: 'It may be sent again: it counts once, and the answer is the same. The id of the game is its key.',
  path: gameId,
  headers: keyHeader,
  body: moves.meta({ examples: [EXAMPLE] }),
  answer: z
    .object({ game: restGame, stats: restStats, counts_from: time.nullable().describe('When the next game counts.') })
    .meta({ id: 'FinishedGame' }),
  refusals: [
    ...OF_TICKETS,
    ...(['already_counted', 'voided', 'game_unfinished'] as const),
    ...(['too_fast', 'too_many_games', 'too_many_games_today'] as const),
  ],
} as const;

const READ = {
  id: 'readGame',
  tag: 'Games',
  summary: 'Read a counted game',
  path: gameId,
  answer: restGame,
  refusals: ['not_found'],
  isTagged: true,
} as const;

/** Verified games over REST, for programs: a ticket, the bot's moves, and the count. */
@Controller('api/games')
export class GamesController {
  constructor(
    private readonly games: GamesService,
    private readonly history: HistoryService,
    private readonly sessionFirst: SessionFirst,
    private readonly turns: DatabaseTurns,
    private readonly clock: Clock,
  ) {}

  @Post()
  @RestOperation(START)
  @UseGuards(SignedInGuard)
  @NeedsScope('games:write')
  async start(@SignedIn() player: SignedInPlayer, @Req() request: FastifyRequest) {
    const { difficulty } = parseInput(START.body, jsonBodyOf(request));
    const { 'idempotency-key': key } = parseInput(keyHeader, request.headers);
    const { gameId, token, expiresAt, countsFrom, ...rest } = await this.turns.run(request.raw, 'gameReads', () =>
      this.games.start(player, difficulty, key),
    );
    return { id: gameId, ...rest, ticket: token, expires_at: expiresAt, counts_from: countsFrom };
  }

  /** Stores nothing: the ticket determines the bot's moves. */
  @Post(':id/moves')
  @RestOperation(MOVE)
  @UseGuards(SignedInGuard)
  @NeedsScope('games:write')
  move(@SignedIn() player: SignedInPlayer, @Param('id') id: string, @Req() request: FastifyRequest) {
    const { ticket, squares } = parseInput(moves, jsonBodyOf(request));
    const answer = accepted(this.games.move(player, ticket, squares, id), this.clock.now());
    return { moves: answer.moves, bot_square: answer.botSquare, result: answer.result };
  }

  /** May be sent again: it counts once, and the answer is the same. */
  @Post(':id/finish')
  @RestOperation(FINISH)
  @UseGuards(SignedInGuard)
  @NeedsScope('games:write')
  @SessionCheckedInStatement()
  finish(@SignedIn() player: ActingPlayer, @Param('id') id: string, @Req() request: FastifyRequest) {
    return this.sessionFirst.run(player, async () => {
      parseInput(keyHeader, request.headers);
      const { ticket, squares } = parseInput(moves, jsonBodyOf(request));
      const { game, stats, countsFrom } = accepted(
        await this.games.finish(player, ticket, squares, id),
        this.clock.now(),
      );
      return { game: toRestGame(game), stats: toRestStats(stats), counts_from: countsFrom };
    });
  }

  /** Anybody may read a counted game. */
  @Get(':id')
  @RestOperation(READ)
  async read(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const key = readPublicGameId(id);
    const game = key && (await this.turns.run(request.raw, 'gameReads', () => this.history.game(key)));
    if (!game) throw new CodedException('not_found', 'There is no such game.');
    sendPublic(request, reply, publicAnswer(toRestGame(game)));
  }
}

/** When the same request may succeed, in seconds. The bot needs half a second for a move. */
const LATER: Partial<Record<RefusalReason, number>> = { too_fast: 3, too_many_games: 60 };

/** @throws {CodedException} with the reason as its code */
function accepted<Answer extends object>(answer: Answer | GameRefused, now: Date): Answer {
  if (!(answer instanceof GameRefused)) return answer;
  const { reason, message, countsFrom } = answer;
  const untilCounts = countsFrom && Math.max(1, Math.ceil((countsFrom.getTime() - now.getTime()) / 1_000));
  throw new CodedException(reason, message, untilCounts ?? LATER[reason]);
}
