import { createHash } from 'node:crypto';
import { Controller, Get, Header, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Derived } from '../base/lru-cache.js';
import { hasCurrent } from '../web/requests/request.js';
import { limitQuery, parseInput } from '../web/input.js';
import { type Entries, LeaderboardCache } from './leaderboard-cache.service.js';
import { type LeaderboardEntryType, Period } from './leaderboard.type.js';

/** For each list, the answers of so many limits stay in memory, up to 25 kB each. Most readers want ten entries. */
const LIMITS = 8;

/** The REST form of the leaderboard. */
@Controller('api/leaderboard')
export class LeaderboardController {
  private readonly answers = new Derived<Entries, number, { body: string; etag: string }>(LIMITS);

  constructor(private readonly leaderboard: LeaderboardCache) {}

  @Get()
  @Header('Cache-Control', 'no-cache')
  async top(@Query() query: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { limit } = parseInput(limitQuery, query);
    const entries = await this.leaderboard.readFor(request.raw, limit, { period: Period.all });
    const { body, etag } = this.answers.of(entries, limit, () => {
      const body = JSON.stringify(entries.slice(0, limit).map(toRestEntry));
      return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
    });
    void reply.header('ETag', etag);
    if (hasCurrent(request, etag)) void reply.code(304).send();
    else void reply.type('application/json; charset=utf-8').send(body);
  }
}

/** The field names of the REST form. */
function toRestEntry({ playerId, totalGames, ...entry }: LeaderboardEntryType) {
  const { name, picture, score, wins, losses, draws } = entry;
  return { user_id: playerId, name, picture, score, wins, losses, draws, total_games: totalGames };
}
