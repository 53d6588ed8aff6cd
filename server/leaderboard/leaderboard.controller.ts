import { createHash } from 'node:crypto';
import { Controller, Get, Header, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Derived } from '../base/lru-cache.js';
import { hasCurrent } from '../web/answers/answers.js';
import { parseInput } from '../web/parse-input.js';
import type { Entries } from './cached-entries.js';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';
import { LeaderboardCache } from './leaderboard-cache.js';
import { leaderboardQuery } from './period.js';

/** The field names of the REST contract. */
interface RestLeaderboardEntry extends Omit<LeaderboardEntryType, 'playerId' | 'totalGames' | 'byProgram'> {
  user_id: string;
  total_games: number;
}

const toRestEntry = ({ playerId, totalGames, byProgram: _, ...rest }: LeaderboardEntryType): RestLeaderboardEntry => ({
  user_id: playerId,
  ...rest,
  total_games: totalGames,
});

interface Answer {
  readonly body: string;
  readonly etag: string;
}

@Controller('api/leaderboard')
export class LeaderboardController {
  /** By limit. */
  private readonly answers = new Derived<Entries, number, Answer>();

  constructor(private readonly leaderboard: LeaderboardCache) {}

  /** A cache may keep the answer, but asks with the tag before each use. */
  @Get()
  @Header('Cache-Control', 'no-cache')
  async top(@Query() query: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { limit, ...chosen } = parseInput(leaderboardQuery, query);
    const entries = await this.leaderboard.readFor(request.raw, limit, chosen);
    const { body, etag } = this.answers.of(entries, limit, () => toAnswer(entries, limit));
    void reply.header('ETag', etag);
    if (hasCurrent(request, etag)) void reply.code(304).send();
    else void reply.type('application/json; charset=utf-8').send(body);
  }
}

function toAnswer(entries: Entries, limit: number): Answer {
  const body = JSON.stringify(entries.slice(0, limit).map(toRestEntry));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}
