import { Controller, Get, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  NeedsScope,
  SessionCheckedInStatement,
  SessionFirst,
  SignedInGuard,
} from '../../auth/sessions/signed-in.guard.js';
import { type ActingPlayer, SignedIn, type SignedInPlayer } from '../../auth/sessions/signed-in.js';
import { StatsService } from '../../stats/stats.service.js';
import { jsonBodyOf } from '../../web/requests/json-body.js';
import { parseInput } from '../../web/parse-input.js';
import { keyHeader, RestOperation } from '../../web/rest/operation.js';
import { ReportsService } from './reports.service.js';
import { difficulty, result } from './rest-game.js';
import { type RestPlayerStats, restStats, toRestStats } from '../../stats/rest-stats.js';
import { requireOwnUserId, statsQuery, userId } from './own-user-id.js';

const reportBody = z.strictObject({ userId, result, difficulty });

const READ = {
  id: 'readStats',
  tag: 'Players',
  summary: 'Read your own stats',
  query: statsQuery,
  answer: restStats,
  refusals: ['other_player'],
} as const;

const REPORT = {
  id: 'reportResult',
  tag: 'Players',
  summary: 'Report a result without its moves',
  description:
    'For clients of the contract. A server may count verified games only. Reports with the same key count once.',
  headers: keyHeader,
  body: reportBody.meta({
    examples: [{ userId: '5f0f8f0a-3c1b-4f62-9a51-0d9f6b1c2e3d', result: 'win', difficulty: 'easy' }],
  }),
  answer: restStats,
  refusals: ['other_player', 'reports_rejected', 'key_of_another_request', 'voided', 'too_many_games'],
} as const;

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
  @RestOperation(READ)
  @SessionCheckedInStatement()
  @NeedsScope('stats:read')
  read(@SignedIn() player: SignedInPlayer, @Req() { query }: FastifyRequest): Promise<RestPlayerStats> {
    return this.sessionFirst.run(player, async () => {
      requireOwnUserId(player, parseInput(statsQuery, query).userId);
      return toRestStats(await this.stats.ofSession(player));
    });
  }

  @Post()
  @RestOperation(REPORT)
  @SessionCheckedInStatement()
  @NeedsScope('games:write')
  report(@SignedIn() player: ActingPlayer, @Req() request: FastifyRequest): Promise<RestPlayerStats> {
    return this.sessionFirst.run(player, async () => {
      const { userId, result, difficulty } = parseInput(reportBody, jsonBodyOf(request));
      requireOwnUserId(player, userId);
      const { 'idempotency-key': key } = parseInput(keyHeader, request.headers);
      return toRestStats(await this.reports.report(player, { result, difficulty, key }));
    });
  }
}
