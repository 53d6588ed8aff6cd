import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import { Clock } from '../base/clock.js';
import { PlayerChanges } from '../base/player-changes.js';
import { utcDay } from '../counting/day.js';
import { GameWriter } from '../counting/game-writer.js';
import { retryConflicts } from '../database/errors/retry-conflicts.js';
import { challengeGameId } from '../games/challenge-game-id.js';
import { type Attempt, resultOf, squaresOf } from './attempt.js';
import { ChallengeDays } from './challenge-days.js';
import { closeAttempt, noteCounted, type Statements, unsettledOf } from './unsettled-attempts.js';

const HOUR = 3_600_000;
/** The statuses after which a game needs no further try. A game that differs stays as it was counted first. */
const DONE: ReadonlySet<string> = new Set(['counted', 'repeated', 'differs', 'voided']);

/**
 * Settles attempts of earlier days: an unfinished game is lost, and each game that is not in the player's stats yet is
 * counted. Each step can be repeated, so a crash between two steps changes nothing.
 */
@Injectable()
export class SettlementService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly writer: GameWriter,
    private readonly days: ChallengeDays,
    private readonly clock: Clock,
    private readonly changes: PlayerChanges,
  ) {}

  /** Settles the earlier days of a player who begins a new one. */
  async settlePlayer(playerId: string): Promise<void> {
    const { database } = this;
    for (const attempt of await unsettledOf(playerId, utcDay(this.clock.now()), database)) {
      await retryConflicts(() => this.settle(attempt, database));
    }
  }

  /** @returns whether all games of the attempt are in the player's stats now */
  async settle(attempt: Attempt, database: Statements): Promise<boolean> {
    const closed = await closeAttempt(attempt, database);
    if (!closed) return false;
    const counted = await this.countGames(closed);
    if (counted > closed.counted) {
      await noteCounted(closed, counted, database);
      this.changes.publish({ playerId: closed.playerId });
    }
    return counted === closed.games.length;
  }

  /** @returns how many games, from the first on, are in the stats */
  private async countGames(attempt: Attempt): Promise<number> {
    const { day, games, counted } = attempt;
    const seeds = await this.days.seedsOf(day);
    for (let game = counted + 1; game <= games.length; game++) {
      const status = await this.countGame(attempt, game, seeds[game - 1]!);
      if (!DONE.has(status)) return game - 1;
    }
    return games.length;
  }

  /** Counts a game of a player who may have no session. @returns the status */
  private async countGame(attempt: Attempt, game: number, seed: string): Promise<string> {
    const { playerId, day, games, startedAt } = attempt;
    const squares = games[game - 1]!;
    const { status } = await this.writer.count({
      playerId,
      sessionId: null,
      id: challengeGameId(playerId, day, game),
      source: 'verified',
      difficulty: CHALLENGE_DIFFICULTIES[game - 1]!,
      result: resultOf(squares) ?? 'lose',
      seed,
      moves: squaresOf(squares),
      startedAt: startedAt[game - 1],
      // Clocks may differ, and a game that is not found would count again.
      idFrom: new Date(Date.parse(day) - HOUR),
      now: this.clock.now(),
      // Otherwise a player could use up the limits to keep a loss out of the stats.
      gamesPerMinute: 0,
      gamesPerDay: 0,
    });
    return status;
  }
}
