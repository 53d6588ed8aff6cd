import { Injectable, UnauthorizedException } from '@nestjs/common';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { weekOf } from '../../game/week.js';
import type { SignedInPlayer } from '../auth/sessions/session.js';
import { Clock } from '../base/clock.js';
import { PlayerChanges } from '../base/player-changes.js';
import { type PlayerStatsType, toPlayerStats } from './player-stats.type.js';
import { nextCountedFrom } from '../counting/day.js';
import { GameWriter } from '../counting/game-writer.js';
import { type GameType, toGameType } from './game.type.js';

/** A finished game that is about to be counted. A verified game includes its seed and moves. */
export interface GameToRecord {
  readonly id: string;
  readonly difficulty: Difficulty;
  readonly result: Result;
  readonly verified?: { readonly seed: string; readonly moves: readonly number[]; readonly startedAt: Date };
  /** Whether a program has got the ticket of the game, whoever sends it. */
  readonly byProgram?: boolean;
  /** How many of the player's games from this source count per minute; 0 means no limit. */
  readonly gamesPerMinute: number;
  /** How many of the player's verified games count per UTC day; 0 means no limit. */
  readonly gamesPerDay: number;
}
/** Whose game it is. Without a session, the server itself ends the game. */
type Counter = Pick<SignedInPlayer, 'playerId' | 'scopes'> & { readonly sessionId: string | null };

export type Recorded =
  | {
      readonly status: 'counted' | 'repeated';
      readonly game: GameType;
      readonly stats: PlayerStatsType;
      readonly countsFrom: Date | null;
    }
  | { readonly status: 'differs' | 'voided' | 'too_many' | 'too_many_today'; readonly countsFrom: Date | null };

/** Counts games and explains the answers. */
@Injectable()
export class Recorder {
  constructor(
    private readonly writer: GameWriter,
    private readonly clock: Clock,
    private readonly changes: PlayerChanges,
  ) {}

  /**
   * Counts the game once, even if the client sends it again: `repeated` returns the same game and the current stats.
   * `countsFrom` is the time from which the player's next verified game counts, or null when it counts now.
   * @throws {UnauthorizedException} when the session has ended since the access token was issued
   */
  async record({ playerId, sessionId, scopes }: Counter, game: GameToRecord): Promise<Recorded> {
    const { id, difficulty, result, verified, byProgram = false, gamesPerMinute, gamesPerDay } = game;
    const now = this.clock.now();
    const source = verified ? 'verified' : 'reported';
    const counted = await this.writer.count({
      sessionId,
      playerId,
      id,
      source,
      difficulty,
      result,
      ...verified,
      byProgram: byProgram || scopes !== undefined,
      now,
      gamesPerMinute,
      gamesPerDay,
    });
    const countsFrom = nextCountedFrom(now, counted.gamesToday, gamesPerDay);
    switch (counted.status) {
      case 'signed_out':
        throw new UnauthorizedException('You are signed out. Sign in again.');
      case 'differs':
      case 'voided':
      case 'too_many':
      case 'too_many_today':
        return { status: counted.status, countsFrom };
      default: {
        const { status, finishedAt, bonus, points, stats, weekScore } = counted;
        const week = weekScore === null ? undefined : { name: weekOf(now), score: weekScore };
        this.changes.publish({ playerId, score: stats.score, week });
        const { seed, moves } = verified ?? { seed: null, moves: null };
        const shown = toGameType({
          id,
          difficulty,
          result,
          points,
          bonus,
          finishedAt,
          source,
          byProgram: counted.byProgram,
          seed,
          moves,
        });
        return { status, game: shown, stats: toPlayerStats(playerId, stats), countsFrom };
      }
    }
  }
}
