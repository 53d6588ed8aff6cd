import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import type { SignedInPlayer } from '../auth/sessions/session.entity.js';
import { challengeGameId } from '../games/challenge-game-id.js';
import { Env } from '../settings/env.js';
import type { GameLimits } from '../stats/game-limits.js';
import { type GameOwner, GameWriter } from '../stats/game-writer.js';
import { type PlayerStatsType, toPlayerStats } from '../stats/player-stats.type.js';
import { StatsService } from '../stats/stats.service.js';
import { Attempt } from './attempt.entity.js';
import { resultOf, squaresOf } from './attempt.js';
import { ChallengeDays } from './challenge-days.service.js';

/** Otherwise a player could use up the limits to keep a loss out of the stats. */
const NO_LIMIT = { gamesPerMinute: 0, gamesPerDay: 0 };

/** Counts the finished games of an attempt in the player's stats. A repetition completes what a crash has left. */
@Injectable()
export class FinishedGames {
  constructor(
    @InjectRepository(Attempt) private readonly attempts: Repository<Attempt>,
    private readonly days: ChallengeDays,
    private readonly writer: GameWriter,
    private readonly stats: StatsService,
    private readonly env: Env,
  ) {}

  /**
   * Counts each finished game that is not in the stats yet.
   * @returns the player's stats after that
   */
  async count(player: SignedInPlayer, attempt: Attempt): Promise<PlayerStatsType> {
    const { stats } = await this.countUpTo(attempt.finished, player, attempt, this.env);
    return stats ?? this.stats.of(player.playerId);
  }

  /**
   * Counts all games of an attempt whose day is over, also of a player without a session. An unfinished game is lost.
   * @returns whether all of them are in the stats now
   */
  async settle(attempt: Attempt): Promise<boolean> {
    const { playerId, games } = attempt;
    const { counted } = await this.countUpTo(games.length, { playerId }, attempt, NO_LIMIT);
    return counted === games.length;
  }

  private async countUpTo(
    last: number,
    player: GameOwner,
    attempt: Attempt,
    limits: GameLimits,
  ): Promise<{ counted: number; stats?: PlayerStatsType }> {
    const { playerId, day, games, startedAt } = attempt;
    const seeds = await this.days.seedsOf(day);
    let stats: PlayerStatsType | undefined;
    let { counted } = attempt;
    while (counted < last) {
      const squares = games[counted]!;
      const played = await this.writer.count(
        player,
        {
          id: challengeGameId(playerId, day, counted + 1),
          source: 'verified',
          difficulty: CHALLENGE_DIFFICULTIES[counted]!,
          result: resultOf(squares) ?? 'lose',
          seed: seeds[counted]!,
          moves: squaresOf(squares),
          startedAt: startedAt[counted]!,
          byProgram: false,
        },
        limits,
      );
      // The settlement counts a game over a limit.
      if (played.status === 'too_many_games' || played.status === 'too_many_games_today') break;
      // A game that differs stays as it was counted first.
      if ('sums' in played) stats = toPlayerStats(playerId, played.sums);
      counted += 1;
    }
    // Another server may have counted more of them.
    await this.attempts.update({ playerId, day, counted: LessThan(counted) }, { counted });
    return { counted, ...(stats && { stats }) };
  }
}
