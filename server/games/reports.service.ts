import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import type { ActingPlayer } from '../auth/sessions/session.js';
import { Env } from '../settings/env.js';
import type { PlayerStatsType } from './player-stats.type.js';
import { uuidText } from '../base/uuid.js';
import { noteGame } from './games.service.js';
import { type Recorded, Recorder } from './recorder.js';
import { CodedException } from '../web/answers/codes.js';

export interface Report {
  readonly result: Result;
  readonly difficulty: Difficulty;
  /** The client's idempotency key: reports with the same key count once. */
  readonly key?: string;
}

@Injectable()
export class ReportsService {
  constructor(
    private readonly recorder: Recorder,
    private readonly env: Env,
  ) {}

  /**
   * Counts a result without verification, if the operator allows that.
   * @throws {CodedException} when only verified games count, when another report has used the key, or its game is void
   */
  async report(player: ActingPlayer, { result, difficulty, key }: Report): Promise<PlayerStatsType> {
    if (this.env.reportedResults === 'reject') {
      const error = 'This server counts only verified games: play with the GraphQL mutations startGame and finishGame';
      throw new CodedException('reports_rejected', error);
    }
    const { playerId, request } = player;
    const id = key === undefined ? randomUUID() : gameIdOf(playerId, key);
    const recorded = await this.recorder.record(player, {
      id,
      result,
      difficulty,
      gamesPerMinute: this.env.reportsPerMinute,
      // Only verified games have a daily limit.
      gamesPerDay: 0,
    });
    const outcome = OUTCOMES[recorded.status];
    noteGame({ source: 'reported', outcome, playerId, gameId: id, difficulty, result }, request);
    switch (recorded.status) {
      case 'differs':
        throw new CodedException(
          'key_of_another_request',
          'This Idempotency-Key was already used for another result: use a new key',
        );
      case 'voided':
        throw new CodedException(
          'voided',
          'An operator has voided the game of this Idempotency-Key: it does not count',
        );
      case 'too_many':
      case 'too_many_today':
        throw new CodedException(
          'too_many_games',
          'You have reported too many results within one minute: send this result again in a minute',
        );
      default:
        return recorded.stats;
    }
  }
}

const OUTCOMES = {
  counted: 'counted',
  repeated: 'repeated',
  differs: 'already_counted',
  voided: 'voided',
  too_many: 'too_many_games',
  too_many_today: 'too_many_games_today',
} as const satisfies Record<Recorded['status'], string>;

/** Derives the game id from player and key: a version 8 UUID with bits from SHA-256. */
function gameIdOf(playerId: string, key: string): string {
  const bytes = createHash('sha256').update(`${playerId}:${key}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return uuidText(bytes);
}
