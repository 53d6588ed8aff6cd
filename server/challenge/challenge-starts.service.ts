import { Injectable } from '@nestjs/common';
import type { SignedInPlayer } from '../auth/sessions/signed-in.js';
import { Clock } from '../base/clock.js';
import { utcDay } from '../counting/day.js';
import { StatsService } from '../stats/stats.service.js';
import { AttemptStore } from './attempt-store.js';
import { type Answer, played, type Reason, refused, toAttempt } from './challenge-answers.js';
import { ChallengeDays } from './challenge-days.js';
import { SettlementService } from './settlement.service.js';

/** Starts the games of the challenge. A start may be sent again: it gives the same answer and changes nothing. */
@Injectable()
export class ChallengeStartsService {
  constructor(
    private readonly attempts: AttemptStore,
    private readonly days: ChallengeDays,
    private readonly settlement: SettlementService,
    private readonly stats: StatsService,
    private readonly clock: Clock,
  ) {}

  /** Starts a game of today. */
  async start({ playerId }: SignedInPlayer, { day, game }: { day: string; game: number }): Promise<Answer> {
    if (game === 1) await this.settlement.settlePlayer(playerId);
    for (;;) {
      const attempt = await this.attempts.find(playerId, day);
      const refuse = (reason: Reason) => refused(reason, toAttempt(playerId, day, attempt));
      if (attempt?.games[game - 1] !== undefined) {
        // The settlement may have changed the stats.
        return played(attempt, undefined, game === 1 ? await this.stats.ofPlayer(playerId) : null);
      }
      if (day !== utcDay(this.clock.now()) || attempt?.closed) return refuse('not_today');
      const started = attempt?.games.length ?? 0;
      if (game !== started + 1 || (attempt && attempt.finished < started)) return refuse('game_out_of_order');
      if (attempt) {
        const startedAt = [...attempt.startedAt, this.clock.now()];
        await this.attempts.replace(attempt, { ...attempt, games: [...attempt.games, ''], startedAt });
      } else {
        await this.days.seedsOf(day);
        if (!(await this.attempts.begin(playerId, day))) return refuse('other_account_played');
      }
    }
  }
}
