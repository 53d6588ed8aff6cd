import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import type { SignedInPlayer } from '../auth/sessions/signed-in.js';
import { challengeGameId } from '../games/challenge-game-id.js';
import { Recorder } from '../games/recorder.js';
import { Env } from '../settings/env.js';
import type { PlayerStatsType } from '../stats/player-stats.type.js';
import { StatsService } from '../stats/stats.service.js';
import { type Attempt, resultOf, squaresOf } from './attempt.js';
import { ChallengeDays } from './challenge-days.js';
import { noteCounted } from './unsettled-attempts.js';

/** Counts the finished games of an attempt while its day runs. */
@Injectable()
export class FinishedGames {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly days: ChallengeDays,
    private readonly recorder: Recorder,
    private readonly stats: StatsService,
    private readonly env: Env,
  ) {}

  /**
   * Counts each finished game that is not in the stats yet. A repeated move completes what a crash has left.
   * @returns the player's stats after that
   */
  async count(player: SignedInPlayer, attempt: Attempt): Promise<PlayerStatsType> {
    const { playerId, day, games, startedAt, finished } = attempt;
    let stats: PlayerStatsType | undefined;
    let { counted } = attempt;
    while (counted < finished) {
      const game = counted + 1;
      const squares = games[counted]!;
      const seeds = await this.days.seedsOf(day);
      const recorded = await this.recorder.record(player, {
        id: challengeGameId(playerId, day, game),
        difficulty: CHALLENGE_DIFFICULTIES[counted]!,
        result: resultOf(squares)!,
        verified: { seed: seeds[counted]!, moves: squaresOf(squares), startedAt: startedAt[counted]! },
        gamesPerMinute: this.env.gamesPerMinute,
        gamesPerDay: this.env.gamesPerDay,
      });
      // The settlement counts a game over a limit later.
      if (recorded.status === 'counted' || recorded.status === 'repeated') stats = recorded.stats;
      else if (recorded.status !== 'voided') break;
      counted = game;
    }
    if (counted > attempt.counted) await noteCounted(attempt, counted, this.database);
    return stats ?? this.stats.ofPlayer(playerId);
  }
}
