import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../clock.js';
import { Env } from '../env.js';
import { nextCountedFrom, utcDay } from './day.js';
import { GameConnections } from './game-connections.js';

const GAMES_TODAY = `SELECT verified_games_on(s, $2) AS games FROM player_stats s WHERE player_id = $1`;

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
    // For a row from before the limit existed, the function counts the table `games`, so it needs a game connection.
    const [row] = await this.connections.use(() =>
      this.database.query<{ games: number }[]>(GAMES_TODAY, [playerId, utcDay(now)]),
    );
    return nextCountedFrom(now, row?.games ?? 0, gamesPerDay);
  }
}
