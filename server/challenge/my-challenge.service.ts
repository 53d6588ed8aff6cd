import { Injectable } from '@nestjs/common';
import { Clock } from '../base/clock.js';
import { dayBefore, endOfDay, utcDay } from '../counting/day.js';
import { AttemptStore } from './attempt-store.js';
import { toAttempt } from './challenge-answers.js';
import { ChallengeDays } from './challenge-days.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import type { MyChallengeType } from './challenge.type.js';

/** Today's challenge as one player sees it. */
@Injectable()
export class MyChallengeService {
  constructor(
    private readonly attempts: AttemptStore,
    private readonly days: ChallengeDays,
    private readonly ranking: ChallengeRankingService,
    private readonly clock: Clock,
  ) {}

  async of(playerId: string): Promise<MyChallengeType> {
    const day = utcDay(this.clock.now());
    // One after the other: a turn is for one connection.
    const attempt = await this.attempts.find(playerId, day);
    const daysInARow = await this.attempts.daysInARow(playerId, day);
    const players = await this.ranking.playersOf(day);
    const yesterdaysBest = await this.ranking.bestOf(dayBefore(day));
    const shown = toAttempt(playerId, day, attempt);
    const { totalMoves } = shown;
    const place = attempt && totalMoves !== null ? await this.ranking.placeOf(day, { ...attempt, totalMoves }) : null;
    return {
      attempt: shown,
      par: totalMoves === null ? null : await this.days.parOf(day),
      endsAt: endOfDay(day),
      place,
      // The last attempts may be missing in the ranking for a second.
      players: Math.max(players, place ?? 0),
      daysInARow,
      yesterdaysBest,
    };
  }
}
