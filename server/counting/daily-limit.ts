import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../base/clock.js';
import { Env } from '../settings/env.js';
import { nextCountedFrom, utcDay } from './day.js';
import { GameConnections } from './game-connections.js';

/** The sums of a player name the newest day with verified games. */
const NEWEST_DAY = `SELECT verified_day::text AS day, verified_that_day AS games FROM player_stats WHERE player_id = $1`;

/** The SQL function `verified_games_on` counts the same for `record_game`. A shard of a distributed database cannot call it. */
const GAMES_OF_DAY = `
  SELECT count(*)::integer AS games FROM games
  WHERE player_id = $1 AND source = 'verified'
    AND finished_at >= $2::date::timestamp AT TIME ZONE 'UTC' AND finished_at < ($2::date + 1)::timestamp AT TIME ZONE 'UTC'`;

/** Reads whether a player has reached the limit of verified games per day. `record_game` enforces that limit. */
@Injectable()
export class DailyLimit {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly connections: GameConnections,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  /** The time from which a game of this player counts, or null when it counts now. */
  async countsFrom(playerId: string): Promise<Date | null> {
    const { gamesPerDay } = this.env;
    if (gamesPerDay === 0) return null;
    const now = this.clock.now();
    return nextCountedFrom(now, await this.gamesOn(utcDay(now), playerId), gamesPerDay);
  }

  private async gamesOn(day: string, playerId: string): Promise<number> {
    const [newest] = await this.database.query<{ day: string | null; games: number }[]>(NEWEST_DAY, [playerId]);
    if (!newest) return 0;
    if (newest.day === day) return newest.games;
    if (newest.day !== null && newest.day < day) return 0;
    // The clock of another server is on the next day, or the row is from before the limit existed.
    const [row] = await this.connections.use(() =>
      this.database.query<[{ games: number }]>(GAMES_OF_DAY, [playerId, day]),
    );
    return row.games;
  }
}
