import { Injectable } from '@nestjs/common';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import type { SignedInPlayer } from '../auth/sessions/signed-in.js';
import { Clock } from '../base/clock.js';
import { utcDay } from '../counting/day.js';
import { type Attempt, type BotAnswer, type PlayerMove, playSquare } from './attempt.js';
import { AttemptStore } from './attempt-store.js';
import { type Answer, played, type Reason, refused, toAttempt } from './challenge-answers.js';
import { ChallengeDays } from './challenge-days.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import { FinishedGames } from './finished-games.js';

/** Plays the challenge. A move may be sent again: it gives the same answer and changes nothing. */
@Injectable()
export class ChallengeMovesService {
  constructor(
    private readonly attempts: AttemptStore,
    private readonly days: ChallengeDays,
    private readonly ranking: ChallengeRankingService,
    private readonly finishedGames: FinishedGames,
    private readonly clock: Clock,
  ) {}

  /** Plays a square. Of two squares for the same move, one wins: the other is refused. */
  async play(player: SignedInPlayer, { day, ...move }: PlayerMove & { day: string }): Promise<Answer> {
    const { playerId } = player;
    for (;;) {
      const attempt = await this.attempts.find(playerId, day);
      const isToday = day === utcDay(this.clock.now());
      const refuse = (reason: Reason) => refused(reason, toAttempt(playerId, day, attempt));
      if (!attempt) return refuse(isToday ? 'game_not_started' : 'not_today');
      const seeds = await this.days.seedsOf(day);
      const next = playSquare(attempt, move, seeds[move.game - 1]!);
      if (next.status === 'repeated') return this.answer(player, attempt, next.answer);
      if (!isToday || attempt.closed) return refuse(attempt.finished === CHALLENGE_GAMES ? 'game_over' : 'not_today');
      if (next.status === 'refused') return refuse(next.reason);
      if (await this.attempts.replace(attempt, next.attempt)) {
        if (next.answer.result) this.ranking.forget(day);
        return this.answer(player, next.attempt, next.answer);
      }
    }
  }

  /** Answers the position of today, once. */
  async answerPosition(
    { playerId }: SignedInPlayer,
    { day, square }: { day: string; square: number },
  ): Promise<Answer> {
    for (;;) {
      const attempt = await this.attempts.find(playerId, day);
      const refuse = (reason: Reason) => refused(reason, toAttempt(playerId, day, attempt));
      if (attempt && attempt.positionSquare !== null)
        return attempt.positionSquare === square ? played(attempt) : refuse('other_square_played');
      if (day !== utcDay(this.clock.now())) return refuse('not_today');
      const { position } = await this.days.contentOf(day);
      if (position?.squares.some((taken) => taken === square)) return refuse('illegal_move');
      if (attempt) await this.attempts.answerPosition(playerId, day, square);
      else if (!(await this.attempts.begin(playerId, day))) return refuse('other_account_played');
    }
  }

  private async answer(player: SignedInPlayer, attempt: Attempt, answer: BotAnswer): Promise<Answer> {
    if (!answer.result) return played(attempt, answer);
    return played(attempt, answer, await this.finishedGames.count(player, attempt));
  }
}
