import { Injectable } from '@nestjs/common';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import { Clock } from '../base/clock.js';
import { dayBefore, endOfDay, utcDay } from '../counting/day.js';
import { AttemptStore } from './attempt-store.js';
import { toAttempt } from './challenge-answers.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import type { MyChallengeType } from './challenge.type.js';

/** Today's challenge as one player sees it. */
@Injectable()
export class MyChallengeService {
  constructor(
    private readonly attempts: AttemptStore,
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
    const place = attempt?.finished === CHALLENGE_GAMES ? await this.ranking.placeOf(day, attempt) : null;
    return {
      attempt: toAttempt(playerId, day, attempt),
      endsAt: endOfDay(day),
      place,
      // The last attempts may be missing in the ranking for a second.
      players: Math.max(players, place ?? 0),
      daysInARow,
      yesterdaysBest,
    };
  }
}
