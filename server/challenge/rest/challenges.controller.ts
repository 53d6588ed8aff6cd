import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RESULTS } from '../../../game/rules.js';
import { isUuid } from '../../base/uuid.js';
import { Env } from '../../settings/env.js';
import { linkToNext, publicAnswer, sendPublic } from '../../web/answers/public-answer.js';
import { parseInput } from '../../web/parse-input.js';
import { DatabaseTurns } from '../../web/requests/database-turns.js';
import { limitQuery } from '../../web/rest/limit.js';
import { RestOperation } from '../../web/rest/operation.js';
import { ChallengeRankingService } from '../challenge-ranking.service.js';
import type { ChallengeEntryType } from '../challenge.type.js';
import * as input from '../input.js';

const count = z.int().min(0);
const square = z.int().min(0).max(8);

const restEntry = z
  .object({
    place: z.int().min(1).describe('Equal results share a place.'),
    user_id: z.uuid(),
    name: z.string(),
    picture: z.url(),
    wins: count,
    draws: count,
    total_moves: count.describe('The X’s of won games, and five for each other game.'),
    solved: z.boolean().nullable().describe('Whether the position is solved. Null without an answer.'),
    results: z.array(z.enum(RESULTS)),
    moves: z.array(z.string()).nullable().describe('The squares of each game. Null until one minute after the day.'),
  })
  .meta({
    id: 'ChallengeEntry',
    examples: [
      {
        ...{ place: 1, user_id: '5f0f8f0a-3c1b-4f62-9a51-0d9f6b1c2e3d', name: 'Ada', wins: 4, draws: 1 },
        ...{ picture: 'https://example.org/ada.svg', total_moves: 17, solved: true, moves: null },
        results: ['win', 'win', 'win', 'win', 'draw'],
      },
    ],
  });

const READ = {
  id: 'readChallenge',
  tag: 'Challenge',
  summary: 'Read the challenge of a day',
  description: 'Seeds, position and moves are there from one minute after the day. Link has the next entries.',
  path: z.object({ day: z.string().describe('The UTC day, such as 2026-11-24.') }),
  query: limitQuery.extend({
    cursor: z.string().refine(isUuid, 'cursor must be the one of a page before, as the server gave it').optional(),
  }),
  answer: z
    .object({
      day: z.iso.date(),
      over: z.boolean(),
      players: count,
      commitment: z
        .string()
        .nullable()
        .describe('The SHA-256 of the seeds, joined by commas, from the start of the day.'),
      seeds: z.array(z.string()).readonly().nullable(),
      position: z.object({ squares: z.array(square).readonly(), task: z.string(), best: square.nullable() }).nullable(),
      entries: z.array(restEntry),
    })
    .meta({ id: 'Challenge' }),
  isTagged: true,
} as const;

/** The daily challenge for programs, which may read it and not play it. */
@Controller('api/challenges')
export class ChallengesController {
  constructor(
    private readonly ranking: ChallengeRankingService,
    private readonly turns: DatabaseTurns,
    private readonly env: Env,
  ) {}

  @Get(':day')
  @RestOperation(READ)
  async read(
    @Param('day') given: string,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const day = parseInput(input.day, given);
    const { limit, cursor } = parseInput(READ.query, query);
    const challenge = await this.turns.run(request.raw, 'reads', () => this.of(day, limit, cursor));
    const last = challenge.entries.at(-1);
    const address = `${this.env.publicOrigin}/api/challenges/${day}`;
    const hasNext = last && challenge.entries.length === limit;
    const link = hasNext ? linkToNext(address, { limit, cursor: last.user_id }) : undefined;
    sendPublic(request, reply, publicAnswer(challenge, link));
  }

  private async of(day: string, limit: number, after: string | undefined): Promise<z.infer<typeof READ.answer>> {
    const { ranking } = this;
    const position = await ranking.positionOf(day);
    return {
      day,
      over: ranking.isOver(day),
      players: await ranking.playersOf(day),
      commitment: await ranking.commitmentOf(day),
      seeds: await ranking.seedsOf(day),
      position: position && { squares: position.squares, task: position.task, best: position.best },
      entries: (await ranking.entriesOf(day, limit, after)).map(toRestEntry),
    };
  }
}

function toRestEntry({ playerId, totalMoves, ...entry }: ChallengeEntryType): z.infer<typeof restEntry> {
  const { place, name, picture, wins, draws, solved, results, moves } = entry;
  return { place, user_id: playerId, name, picture, wins, draws, total_moves: totalMoves, solved, results, moves };
}
