import { createHash } from 'node:crypto';
import { Controller, Get, Header, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { NAME, PICTURE } from '../auth/players/player.type.js';
import { Derived } from '../base/lru-cache.js';
import { hasCurrent } from '../web/requests/request.js';
import { limitQuery, parseInput } from '../web/input.js';
import { type Entries, LeaderboardCache } from './leaderboard-cache.service.js';
import { type LeaderboardEntryType, Period } from './leaderboard.type.js';

/** For each list, the answers of so many limits stay in memory, up to 25 kB each. Most readers want ten entries. */
const LIMITS = 8;

const count = z.int32().min(0);
const ID = '7d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e';
const ADA = { user_id: ID, name: 'Ada', picture: `https://play.example.org/avatar/${ID}.svg` };

/** The form of REST, which does not change. */
export const restEntry = z
  .object({
    user_id: z.string().meta({ format: 'uuid' }),
    name: z.string().describe(NAME),
    picture: z.string().meta({ format: 'uri', description: PICTURE }),
    score: z.int32(),
    wins: count,
    losses: count,
    draws: count,
    total_games: count,
  })
  .meta({ examples: [{ ...ADA, score: 1, wins: 1, losses: 0, draws: 0, total_games: 1 }] });

/** What a client may send beside the limit. */
export const tagHeader = z.object({
  'if-none-match': z.string().describe('The ETag of an answer: 304 while nothing has changed.').optional(),
});

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

const toRestEntry = (entry: LeaderboardEntryType) =>
  restEntry.parse({ ...entry, user_id: entry.playerId, total_games: entry.totalGames });
