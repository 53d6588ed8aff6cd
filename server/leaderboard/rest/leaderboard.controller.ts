import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Clock } from '../../base/clock.js';
import { Derived } from '../../base/lru-cache.js';
import { Env } from '../../settings/env.js';
import { CodedException } from '../../web/answers/codes.js';
import { linkToNext, type PublicAnswer, publicAnswer, sendPublic } from '../../web/answers/public-answer.js';
import { parseInput } from '../../web/parse-input.js';
import { DatabaseTurns } from '../../web/requests/database-turns.js';
import { RestOperation } from '../../web/rest/operation.js';
import type { Entries } from '../cached-entries.js';
import type { LeaderboardEntryType } from '../leaderboard-entry.type.js';
import { LeaderboardCache } from '../leaderboard-cache.js';
import { MAX_NEIGHBOURS } from '../neighbours.js';
import { NeighboursService } from '../neighbours.service.js';
import { cursorOf, indexAfter, PAGED_PLACES } from '../pages.js';
import { leaderboardQuery, weekIn } from '../period.js';

const ADDRESS = 'api/leaderboard';
/** For each list, the answers of so many limits stay in memory, up to 25 kB each. Most readers want ten entries. */
const LIMITS = 8;

/** The field names of the REST contract. */
const restEntry = z
  .object({
    user_id: z.uuid(),
    name: z.string(),
    picture: z.url(),
    score: z.int(),
    wins: z.int().min(0),
    losses: z.int().min(0),
    draws: z.int().min(0),
    total_games: z.int().min(0),
    rank: z.int().min(1).optional().describe('The place. Only with `around`.'),
  })
  .meta({
    id: 'LeaderboardEntry',
    examples: [
      {
        ...{ user_id: '5f0f8f0a-3c1b-4f62-9a51-0d9f6b1c2e3d', name: 'Ada', picture: 'https://example.org/ada.svg' },
        ...{ score: 12, wins: 14, losses: 4, draws: 6, total_games: 24 },
      },
    ],
  });
type RestEntry = z.infer<typeof restEntry>;

const TOP = {
  id: 'readLeaderboard',
  tag: 'Leaderboard',
  summary: 'The best players, in order',
  description: `By score, then wins, then fewer losses, then the earlier time. The header field Link has the address of the next page, up to ${PAGED_PLACES} places, in the same week.`,
  query: leaderboardQuery,
  answer: z.array(restEntry),
  refusals: ['not_found'],
  isTagged: true,
} as const;

const toRestEntry = ({ playerId, totalGames, ...entry }: LeaderboardEntryType): RestEntry => {
  const { name, picture, score, wins, losses, draws } = entry;
  return { user_id: playerId, name, picture, score, wins, losses, draws, total_games: totalGames };
};

@Controller(ADDRESS)
export class LeaderboardController {
  /** By limit. Entries belong to one week or to all time, so the link of the first page depends on nothing else. */
  private readonly answers = new Derived<Entries, number, PublicAnswer>(LIMITS);

  constructor(
    private readonly leaderboard: LeaderboardCache,
    private readonly neighbours: NeighboursService,
    private readonly turns: DatabaseTurns,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  @Get()
  @RestOperation(TOP)
  async top(@Query() query: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { limit, cursor, around, ...asked } = parseInput(TOP.query, query);
    if (around !== undefined) return sendPublic(request, reply, await this.around(request, around, limit));
    // The next page is of the same week, also after midnight on Sunday.
    const chosen = { ...asked, week: weekIn(asked, this.clock.now()) };
    const entries = cursor
      ? await this.turns.run(request.raw, 'reads', () => this.leaderboard.readDeep(chosen))
      : await this.leaderboard.readFor(request.raw, limit, chosen);
    const answer = () => {
      const from = cursor ? indexAfter(entries, cursor) : 0;
      const page = entries.slice(from, from + limit);
      const last = page.at(-1);
      const hasNext = last && (cursor ? from + limit < entries.length : page.length === limit);
      const address = `${this.env.publicOrigin}/${ADDRESS}`;
      const link = hasNext ? linkToNext(address, { ...chosen, limit, cursor: cursorOf(last) }) : undefined;
      return publicAnswer(page.map(toRestEntry), link);
    };
    sendPublic(request, reply, cursor ? answer() : this.answers.of(entries, limit, answer));
  }

  /** The player in the middle, with as many neighbours on both sides as the limit allows. */
  private async around({ raw }: FastifyRequest, playerId: string, limit: number): Promise<PublicAnswer> {
    const side = Math.min(MAX_NEIGHBOURS, Math.floor((limit - 1) / 2));
    const around = await this.turns.run(raw, 'reads', () => this.neighbours.around(playerId, side, side));
    if (!around) throw new CodedException('not_found', 'This player is not on the leaderboard.');
    return publicAnswer(around.places.map(({ rank, entry }) => ({ ...toRestEntry(entry), rank })));
  }
}
