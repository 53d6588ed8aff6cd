import { Controller, Get, Header, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DIFFICULTIES } from '../../../game/bot.js';
import { RESULTS } from '../../../game/rules.js';
import {
  NeedsScope,
  SessionCheckedInStatement,
  SessionFirst,
  SignedInGuard,
} from '../../auth/sessions/signed-in.guard.js';
import { type ActingPlayer, SignedIn, type SignedInPlayer } from '../../auth/sessions/signed-in.js';
import { StatsService } from '../../stats/stats.service.js';
import { parseInput } from '../../web/parse-input.js';
import { ReportsService } from './reports.service.js';
import { type RestPlayerStats, requireOwnUserId, statsQuery, toRestStats, userId } from './rest-stats.js';

const reportBody = z.strictObject(
  {
    userId,
    result: z.enum(RESULTS, { error: `result must be one of: ${RESULTS.join(', ')}` }),
    difficulty: z.enum(DIFFICULTIES, { error: `difficulty must be one of: ${DIFFICULTIES.join(', ')}` }),
  },
  {
    error: (issue) =>
      issue.code === 'invalid_type' ? 'The body must be a JSON object with userId, result and difficulty' : undefined,
  },
);

const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'Idempotency-Key must be 1 to 255 visible ASCII characters without a space')
  .optional();

/** The REST contract's stats of a player, and the results that a client reports itself. */
@Controller('api/player/stats')
@UseGuards(SignedInGuard)
export class PlayerStatsController {
  constructor(
    private readonly stats: StatsService,
    private readonly reports: ReportsService,
    private readonly sessionFirst: SessionFirst,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @SessionCheckedInStatement()
  @NeedsScope('stats:read')
  read(@SignedIn() player: SignedInPlayer, @Req() { query }: FastifyRequest): Promise<RestPlayerStats> {
    return this.sessionFirst.run(player, async () => {
      requireOwnUserId(player, parseInput(statsQuery, query).userId);
      return toRestStats(await this.stats.ofSession(player));
    });
  }

  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @SessionCheckedInStatement()
  @NeedsScope('games:write')
  report(@SignedIn() player: ActingPlayer, @Req() request: FastifyRequest): Promise<RestPlayerStats> {
    return this.sessionFirst.run(player, async () => {
      const { userId, result, difficulty } = parseInput(reportBody, request.body);
      requireOwnUserId(player, userId);
      const key = parseInput(idempotencyKey, request.headers['idempotency-key']);
      return toRestStats(await this.reports.report(player, { result, difficulty, key }));
    });
  }
}
