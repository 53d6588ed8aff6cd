import { createHash, randomUUID } from 'node:crypto';
import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DIFFICULTIES } from '../../game/bot.js';
import { RESULTS } from '../../game/rules.js';
import type { Stats } from '../../game/scoring.js';
import { Authenticated, SignedIn } from '../auth/sessions/session.guard.js';
import type { ActingPlayer, SignedInPlayer } from '../auth/sessions/session.entity.js';
import { Clock, utcDay } from '../base/clock.js';
import { uuidText } from '../base/uuid.js';
import type { Counted, NotCounted } from './count-games.js';
import type { Game } from './game.entity.js';
import { GameWriter } from './game-writer.js';
import { Env } from '../settings/env.js';
import { noteGame } from './game-log.js';
import { StatsService } from './stats.service.js';
import { Refusal } from '../web/answers/refusals.js';
import { parseInput } from '../web/input.js';
import { reportRefusal } from './refusals.js';

const count = z.int32().min(0);

/** The form of REST, which does not change: a new counter is for GraphQL alone. */
export const restStats = z
  .object({
    score: z.int32().describe('Wins minus losses plus bonus points: one for every third win in a row.'),
    win_streak: count.max(2).describe('Wins in a row. The third gives the bonus point and begins again at 0.'),
    wins: count,
    losses: count,
    draws: count,
    easyWins: count,
    mediumWins: count,
    hardWins: count,
  })
  .meta({
    examples: [{ score: 1, win_streak: 1, wins: 1, losses: 0, draws: 0, easyWins: 1, mediumWins: 0, hardWins: 0 }],
  });

const OWN = 'userId must be the id of the signed-in player, as { me { id } } at /graphql tells it';
const error = ({ input }: { readonly input?: unknown }) =>
  input === undefined ? `userId is missing. ${OWN}` : `userId is no id of a player. ${OWN}`;
const userId = z.uuid({ error }).describe(OWN);

/** Ignores unknown keys: some clients add one to bypass caches. */
export const statsQuery = z.object({ userId });

export const reportBody = z
  .strictObject({
    userId,
    result: z.enum(RESULTS, { error: `result must be one of: ${RESULTS.join(', ')}` }),
    difficulty: z.enum(DIFFICULTIES, { error: `difficulty must be one of: ${DIFFICULTIES.join(', ')}` }),
  })
  .meta({ examples: [{ userId: '7d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e', result: 'win', difficulty: 'easy' }] });

/** The client's name for a report, so that a repetition does nothing twice. */
export const keyHeader = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'Idempotency-Key must be 1 to 255 visible ASCII characters without a space')
    .describe('Such as a UUID. The same key and body count once, however often they are sent.')
    .optional(),
});

/** The REST form of the stats of a player, and the results that a client reports itself. */
@Controller('api/player/stats')
export class PlayerStatsController {
  constructor(
    private readonly stats: StatsService,
    private readonly writer: GameWriter,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  @Get()
  @Authenticated({ scope: 'stats:read' })
  async read(@SignedIn() player: SignedInPlayer, @Req() request: FastifyRequest) {
    requireOwnUserId(player, parseInput(statsQuery, request.query).userId);
    return toRestStats(await this.stats.of(player.playerId));
  }

  @Post()
  @HttpCode(200)
  @Authenticated({ scope: 'games:write' })
  async report(@SignedIn() player: ActingPlayer, @Req() request: FastifyRequest) {
    const { userId, result, difficulty } = parseInput(reportBody, request.body ?? {});
    requireOwnUserId(player, userId);
    const { 'idempotency-key': key } = parseInput(keyHeader, request.headers);
    return toRestStats(await this.count(player, { result, difficulty }, key));
  }

  /**
   * Counts a result without verification, if the operator allows that. Reports with the same key count once.
   * @throws {Refusal} when only verified games count, when another report has used the key, or its game is void
   */
  private async count(
    player: ActingPlayer,
    reported: Pick<Game, 'result' | 'difficulty'>,
    key: string | undefined,
  ): Promise<Stats> {
    if (this.env.reportedResults === 'reject') throw reportRefusal('reports_rejected');
    const { playerId, request } = player;
    const id = key === undefined ? randomUUID() : gameIdOf(playerId, key);
    const game = { ...NOT_REPLAYED, ...reported, id };
    const counted = await this.writer.count(player, game, this.env);
    noteGame({ source: 'reported', outcome: counted.status, gameId: id, ...reported }, request);
    if ('sums' in counted) return counted.sums;
    throw refusalOf(counted, this.clock.now());
  }
}

const NOT_REPLAYED = { source: 'reported', seed: null, moves: null, startedAt: null, byProgram: false } as const;

function refusalOf({ status, countsFrom }: Extract<Counted, { status: NotCounted }>, now: Date): Refusal {
  if (status === 'already_counted') return reportRefusal('key_of_another_request');
  if (status === 'voided') return reportRefusal(status);
  const retryAfter = Math.max(1, Math.ceil((countsFrom!.getTime() - now.getTime()) / 1000));
  const after = `Send this result again after ${utcDay(countsFrom!)} 00:00 UTC.`;
  const isOfDay = status === 'too_many_games_today';
  const sentence = isOfDay ? `You have reached the limit of games for today. ${after}` : undefined;
  return reportRefusal(status, sentence, { retryAfter });
}

/** Derives the game id from player and key: a version 8 UUID with bits from SHA-256. */
function gameIdOf(playerId: string, key: string): string {
  const bytes = createHash('sha256').update(`${playerId}:${key}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return uuidText(bytes);
}

/** @throws {Refusal} when the id is another player's */
function requireOwnUserId(player: SignedInPlayer, userId: string): void {
  if (userId.toLowerCase() !== player.playerId) throw reportRefusal('other_player');
}

const toRestStats = (stats: Stats) => restStats.parse({ ...stats, win_streak: stats.winStreak });
