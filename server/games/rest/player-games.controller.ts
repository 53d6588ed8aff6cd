import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ShownPlayers } from '../../auth/shown-players.service.js';
import { Env } from '../../settings/env.js';
import { CodedException } from '../../web/answers/codes.js';
import { linkToNext, publicAnswer, sendPublic } from '../../web/answers/public-answer.js';
import { parseInput } from '../../web/parse-input.js';
import { DatabaseTurns } from '../../web/requests/database-turns.js';
import { limitQuery } from '../../web/rest/limit.js';
import { RestOperation, time } from '../../web/rest/operation.js';
import { ArchivedGamesService } from '../archived-games.service.js';
import { readCursor } from '../history/game-cursor.js';
import { HistoryService } from '../history/history.service.js';
import { restGame, toRestGame } from './rest-game.js';

const wrongCursor = 'cursor must be the one of a page before, as the server gave it';

const READ = {
  id: 'readPlayerGames',
  tag: 'Players',
  summary: 'Read the games of a player, newest first',
  description: 'Link has the next page. Archived games end the list: the last page says how many they are.',
  path: z.object({ id: z.string().describe('The id of the player.') }),
  query: limitQuery.extend({
    cursor: z
      .string()
      .refine((text) => readCursor(text) !== undefined, wrongCursor)
      .optional(),
  }),
  answer: z
    .object({
      games: z.array(restGame),
      archived: z
        .object({ games: z.int().min(1), before: time })
        .nullable()
        .describe('Older games, which count and cannot be read. On the last page only.'),
    })
    .meta({ id: 'PlayerGames' }),
  refusals: ['not_found'],
  isTagged: true,
} as const;

/** The games of any player, as everybody may see them. */
@Controller('api/players/:id/games')
export class PlayerGamesController {
  constructor(
    private readonly players: ShownPlayers,
    private readonly history: HistoryService,
    private readonly archived: ArchivedGamesService,
    private readonly turns: DatabaseTurns,
    private readonly env: Env,
  ) {}

  @Get()
  @RestOperation(READ)
  async read(
    @Param('id') id: string,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { limit: first, cursor = '' } = parseInput(READ.query, query);
    const player = await this.players.byId(request, id);
    if (!player) throw new CodedException('not_found', 'There is no such player.');
    const { raw } = request;
    const page = { playerId: player.id, first, after: readCursor(cursor) };
    const { edges, pageInfo } = await this.history.pageOf(raw, page, false);
    const isLast = !pageInfo.hasNextPage;
    const address = `${this.env.publicOrigin}/api/players/${player.id}/games`;
    const link = isLast ? undefined : linkToNext(address, { limit: first, cursor: pageInfo.endCursor! });
    const archived = isLast ? await this.turns.run(raw, 'reads', () => this.archived.of(player.id)) : null;
    sendPublic(request, reply, publicAnswer({ games: edges.map(({ node }) => toRestGame(node)), archived }, link));
  }
}
