import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../base/clock.js';
import { Env } from '../settings/env.js';
import { nextCountedFrom } from './day.js';
import { verifiedGamesOn } from './facts.js';
import { GameConnections } from './game-connections.js';
import type { PlayerSums } from './sums.js';

/** The sums of a player name the newest day with verified games. */
const NEWEST_DAY = `
  SELECT verified_day::text AS "verifiedDay", verified_that_day AS "verifiedThatDay" FROM player_stats WHERE player_id = $1`;

/** Reads whether a player has reached the limit of verified games per day. The writer of games enforces it. */
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
    return nextCountedFrom(now, await this.gamesOn(now, playerId), gamesPerDay);
  }

  /** Reads of `games` share its connections. */
  private readonly ofGames = {
    query: <T>(text: string, values?: unknown[]) => this.connections.use(() => this.database.query<T>(text, values)),
  };

  private async gamesOn(now: Date, playerId: string): Promise<number> {
    const [sums] = await this.database.query<Pick<PlayerSums, 'verifiedDay' | 'verifiedThatDay'>[]>(NEWEST_DAY, [
      playerId,
    ]);
    return sums ? verifiedGamesOn(this.ofGames, playerId, sums, now) : 0;
  }
}
