import { createHash } from 'node:crypto';
import { Controller, Get, Header, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../base/clock.js';
import { hasCurrent } from '../web/answers/answers.js';
import { parseInput } from '../web/parse-input.js';
import type { Entries } from './cached-entries.js';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';
import { LeaderboardCache } from './leaderboard-cache.js';
import { leaderboardQuery, weekIn } from './period.js';

/** The field names of the REST contract. */
interface RestLeaderboardEntry extends Omit<LeaderboardEntryType, 'playerId' | 'totalGames'> {
  user_id: string;
  total_games: number;
}

const toRestEntry = ({ playerId, totalGames, ...rest }: LeaderboardEntryType): RestLeaderboardEntry => ({
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
  /** By entries and limit. They go with the entries. */
  private readonly answers = new WeakMap<Entries, Map<number, Answer>>();

  constructor(
    private readonly leaderboard: LeaderboardCache,
    private readonly clock: Clock,
  ) {}

  /** A cache may keep the answer, but asks with the tag before each use. */
  @Get()
  @Header('Cache-Control', 'no-cache')
  async top(@Query() query: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { limit, ...chosen } = parseInput(leaderboardQuery, query);
    const week = weekIn(chosen, this.clock.now());
    const { body, etag } = this.answer(await this.leaderboard.readFor(request.headers, limit, week), limit);
    void reply.header('ETag', etag);
    if (hasCurrent(request, etag)) void reply.code(304).send();
    else void reply.type('application/json; charset=utf-8').send(body);
  }

  private answer(entries: Entries, limit: number): Answer {
    const answers = this.answers.get(entries) ?? new Map<number, Answer>();
    this.answers.set(entries, answers);
    const known = answers.get(limit);
    if (known) return known;
    const body = JSON.stringify(entries.slice(0, limit).map(toRestEntry));
    const answer = { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
    answers.set(limit, answer);
    return answer;
  }
}
