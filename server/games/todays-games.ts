import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../clock.js';
import { Env } from '../env.js';
import { nextCountedFrom, utcDay } from './day.js';
import { GameConnections } from './game-connections.js';

const GAMES_TODAY = `SELECT verified_games_on(s, $2) AS games FROM player_stats s WHERE player_id = $1`;

/** How far a player is from the limit of verified games a day. `record_game` keeps the limit; this only looks. */
@Injectable()
export class TodaysGames {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly connections: GameConnections,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  /** From when on a game of this player counts; null where that is now. */
  async countFrom(playerId: string): Promise<Date | null> {
    const { gamesPerDay } = this.env;
    if (gamesPerDay === 0) return null;
    const now = this.clock.now();
    // A row from before the limit makes the function count the table `games`.
    const [row] = await this.connections.use(() =>
      this.database.query<{ games: number }[]>(GAMES_TODAY, [playerId, utcDay(now)]),
    );
    return nextCountedFrom(now, row?.games ?? 0, gamesPerDay);
  }
}
