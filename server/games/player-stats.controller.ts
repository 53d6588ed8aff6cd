import { Controller, Get, Header, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DIFFICULTIES } from '../../game/bot.js';
import { RESULTS } from '../../game/rules.js';
import { pickStats, type Stats } from '../../game/scoring.js';
import { NeedsScope, SessionCheckedInStatement, SignedIn, SignedInGuard } from '../auth/sessions/session-guards.js';
import { LiveSessions } from '../auth/sessions/live-sessions.js';
import type { ActingPlayer, SignedInPlayer } from '../auth/sessions/session.js';
import { StatsService } from './stats.service.js';
import { CodedException } from '../web/answers/codes.js';
import { jsonBodyOf } from '../web/requests/json-body.js';
import { parseInput } from '../web/parse-input.js';
import { ReportsService } from './reports.service.js';

const OWN = 'userId must be the id of the signed-in player, as { me { id } } at /graphql tells it';
const userId = z.uuid({
  error: ({ input }) => (input === undefined ? `userId is missing. ${OWN}` : `userId is no id of a player. ${OWN}`),
});

/** Ignores unknown keys: some clients add one to bypass caches. */
const statsQuery = z.object({ userId });

const reportBody = z.strictObject({
  userId,
  result: z.enum(RESULTS, { error: `result must be one of: ${RESULTS.join(', ')}` }),
  difficulty: z.enum(DIFFICULTIES, { error: `difficulty must be one of: ${DIFFICULTIES.join(', ')}` }),
});

/** The client's name for a report, so that a repetition does nothing twice. */
const keyHeader = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'Idempotency-Key must be 1 to 255 visible ASCII characters without a space')
    .optional(),
});

/** The REST contract's stats of a player, and the results that a client reports itself. */
@Controller('api/player/stats')
@UseGuards(SignedInGuard)
export class PlayerStatsController {
  constructor(
    private readonly stats: StatsService,
    private readonly reports: ReportsService,
    private readonly sessions: LiveSessions,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @SessionCheckedInStatement()
  @NeedsScope('stats:read')
  read(@SignedIn() player: SignedInPlayer, @Req() { query }: FastifyRequest) {
    return this.sessions.checkBeforeRefusal(player, async () => {
      requireOwnUserId(player, parseInput(statsQuery, query).userId);
      return toRestStats(await this.stats.ofSession(player));
    });
  }

  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @SessionCheckedInStatement()
  @NeedsScope('games:write')
  report(@SignedIn() player: ActingPlayer, @Req() request: FastifyRequest) {
    return this.sessions.checkBeforeRefusal(player, async () => {
      const { userId, result, difficulty } = parseInput(reportBody, jsonBodyOf(request));
      requireOwnUserId(player, userId);
      const { 'idempotency-key': key } = parseInput(keyHeader, request.headers);
      return toRestStats(await this.reports.report(player, { result, difficulty, key }));
    });
  }
}

/** @throws {CodedException} when the id is another player's */
function requireOwnUserId(player: SignedInPlayer, userId: string): void {
  if (userId.toLowerCase() !== player.playerId) {
    const error = 'userId must be the id of the signed-in player: this one belongs to somebody else';
    throw new CodedException('other_player', error);
  }
}

/** The field names of the contract. */
function toRestStats(stats: Stats) {
  const { score, winStreak, ...counts } = pickStats(stats);
  return { score, win_streak: winStreak, ...counts };
}
