import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ShownPlayers } from '../../auth/shown-players.service.js';
import { restStats, toRestStats } from '../../stats/rest-stats.js';
import { StatsService } from '../../stats/stats.service.js';
import { CodedException } from '../../web/answers/codes.js';
import { publicAnswer, sendPublic } from '../../web/answers/public-answer.js';
import { RestOperation, time } from '../../web/rest/operation.js';
import { StandingsService } from '../standings.service.js';

const READ = {
  id: 'readPlayer',
  tag: 'Players',
  summary: 'Read a player with stats and standing',
  path: z.object({ id: z.string().describe('The id of the player.') }),
  answer: z
    .object({
      id: z.uuid(),
      name: z.string(),
      picture: z.url(),
      stats: restStats,
      standing: z
        .object({
          rank: z.int().min(1),
          exact: z.boolean().describe('False behind the first 1,000: players of one score share a place.'),
          players: z.int().min(0).describe('How many players have a place.'),
          as_of: time.nullable().describe('When the places were counted. Null where they are exact.'),
        })
        .nullable()
        .describe('Null before the first finished game.'),
    })
    .meta({ id: 'Player' }),
  refusals: ['not_found'],
  isTagged: true,
} as const;

/** Players as everybody may see them. Hidden and deleted ones are not there. */
@Controller('api/players')
export class PlayersController {
  constructor(
    private readonly players: ShownPlayers,
    private readonly stats: StatsService,
    private readonly standings: StandingsService,
  ) {}

  @Get(':id')
  @RestOperation(READ)
  async read(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const player = await this.players.byId(request, id);
    if (!player) throw new CodedException('not_found', 'There is no such player.');
    const [{ stats }, standing] = await Promise.all([
      this.stats.shown.load(request.raw, player.id),
      this.standings.shown.load(request.raw, player.id),
    ]);
    const { name, picture } = player;
    const { asOf, ...place } = standing ?? {};
    const answer = {
      ...{ id: player.id, name, picture, stats: toRestStats(stats) },
      standing: standing && { ...place, as_of: asOf },
    };
    sendPublic(request, reply, publicAnswer(answer));
  }
}
