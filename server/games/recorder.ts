import { Injectable, UnauthorizedException } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import type { Stats } from '../../game/scoring.js';
import type { SignedInPlayer } from '../auth/sessions/signed-in.js';
import { Clock } from '../clock.js';
import { PlayerChanges } from '../player-changes.js';
import { type PlayerStatsType, toPlayerStats } from '../stats/player-stats.type.js';
import { GameConnections } from './game-connections.js';
import { nextCountedFrom, utcDay } from './day.js';
import { type GameType, toGameType } from './game.type.js';

/** A finished game that is about to be counted. A verified game includes its seed and moves. */
export interface GameToRecord {
  readonly id: string;
  readonly difficulty: Difficulty;
  readonly result: Result;
  readonly verified?: { readonly seed: string; readonly moves: readonly number[]; readonly startedAt: Date };
  /** How many of the player's games from this source count per minute; 0 means no limit. */
  readonly gamesPerMinute: number;
  /** How many of the player's verified games count per UTC day; 0 means no limit. */
  readonly gamesPerDay: number;
}

export type Recorded =
  | {
      readonly status: 'counted' | 'repeated';
      readonly game: GameType;
      readonly stats: PlayerStatsType;
      readonly countsFrom: Date | null;
    }
  | { readonly status: 'differs' | 'too_many' | 'too_many_today'; readonly countsFrom: Date | null };

interface Row extends Stats {
  status: Recorded['status'] | 'signed_out';
  finishedAt: Date;
  bonus: boolean;
  points: number;
  gamesToday: number;
}

const RECORD = `
  SELECT status, (game).finished_at AS "finishedAt", (game).bonus, (game).points,
    (stats).score, (stats).win_streak AS "winStreak", (stats).wins, (stats).losses, (stats).draws,
    (stats).easy_wins AS "easyWins", (stats).medium_wins AS "mediumWins", (stats).hard_wins AS "hardWins",
    verified_games_on(stats, $13) AS "gamesToday"
  FROM record_game($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

/** Stores games. It is the only caller of the SQL function `record_game`, and needs one round trip. */
@Injectable()
export class Recorder {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly connections: GameConnections,
    private readonly clock: Clock,
    private readonly changes: PlayerChanges,
  ) {}

  /**
   * Counts the game once, even if the client sends it again: `repeated` returns the same game and the current stats.
   * `countsFrom` is the time from which the player's next verified game counts, or null when it counts now.
   * @throws {UnauthorizedException} when the session has ended since the access token was issued
   */
  async record({ playerId, sessionId }: SignedInPlayer, game: GameToRecord): Promise<Recorded> {
    const { id, difficulty, result, verified, gamesPerMinute, gamesPerDay } = game;
    const now = this.clock.now();
    const source = verified ? 'verified' : 'reported';
    const values = [
      sessionId,
      playerId,
      id,
      source,
      difficulty,
      result,
      verified?.seed,
      verified?.moves,
      verified?.startedAt,
      now,
      gamesPerMinute,
      gamesPerDay,
      utcDay(now),
    ];
    const [row] = await this.connections.use(() => this.database.query<[Row]>(RECORD, values));
    const countsFrom = nextCountedFrom(now, row.gamesToday, gamesPerDay);
    switch (row.status) {
      case 'signed_out':
        throw new UnauthorizedException('You are signed out. Sign in again.');
      case 'differs':
      case 'too_many':
      case 'too_many_today':
        return { status: row.status, countsFrom };
      case 'counted':
      case 'repeated': {
        const { finishedAt, bonus, points, score } = row;
        this.changes.publish({ playerId, score });
        const { seed, moves } = verified ?? { seed: null, moves: null };
        return {
          status: row.status,
          game: toGameType({ id, difficulty, result, points, bonus, finishedAt, source, seed, moves }),
          stats: toPlayerStats(playerId, row),
          countsFrom,
        };
      }
    }
  }
}
