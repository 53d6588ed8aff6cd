import { Body, Controller, Header, Headers, HttpCode, Post, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { DIFFICULTIES } from '../../game/bot.js';
import { RESULTS } from '../../game/rules.js';
import { SignedInGuard } from '../auth/signed-in.guard.js';
import { SessionCheckedInTransaction } from '../auth/session-first.interceptor.js';
import { SignedIn, type SignedInPlayer } from '../auth/signed-in.js';
import { type RestPlayerStats, requireOwnUserId, toRestStats, userId } from '../stats/rest-stats.js';
import { checked } from '../web/checked.js';
import { ReportsService } from './reports.service.js';

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

/** Accepts self-reported results, which the REST contract requires. The GraphQL API takes verified games. */
@Controller('api/player/stats')
@UseGuards(SignedInGuard)
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @SessionCheckedInTransaction()
  async report(
    @SignedIn() player: SignedInPlayer,
    @Body() body: unknown,
    @Headers('idempotency-key') key: unknown,
  ): Promise<RestPlayerStats> {
    const { userId, result, difficulty } = checked(reportBody, body);
    requireOwnUserId(player, userId);
    return toRestStats(await this.reports.report(player, { result, difficulty, key: checked(idempotencyKey, key) }));
  }
}
