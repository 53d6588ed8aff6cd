import { Injectable } from '@nestjs/common';
import { CHALLENGE_GAMES, parOf } from '../../game/challenge.js';
import type { SignedInPlayer } from '../auth/sessions/session.js';
import { Clock } from '../base/clock.js';
import { endOfDay, utcDay } from '../counting/day.js';
import { StatsService } from '../games/stats.service.js';
import { type Attempt, type BotAnswer, type PlayerMove, playSquare } from './attempt.js';
import { AttemptStore } from './attempt-store.js';
import { type Answer, played, type Reason, refused, toAttempt } from './challenge-answers.js';
import { ChallengeDays } from './challenge-days.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import type { MyChallengeType } from './challenge.type.js';
import { FinishedGames } from './finished-games.js';

/** Plays today's challenge. A start or a move may be sent again: it gives the same answer and changes nothing. */
@Injectable()
export class ChallengePlayService {
  /** Of the last day that somebody asked for, because it takes 30 ms. */
  private par: { readonly day: string; readonly moves: number } | undefined;

  constructor(
    private readonly attempts: AttemptStore,
    private readonly days: ChallengeDays,
    private readonly ranking: ChallengeRankingService,
    private readonly finishedGames: FinishedGames,
    private readonly stats: StatsService,
    private readonly clock: Clock,
  ) {}

  /** Today's challenge as one player sees it. */
  async mine(playerId: string): Promise<MyChallengeType> {
    const day = utcDay(this.clock.now());
    // One after the other: a turn is for one connection.
    const stored = await this.attempts.find(playerId, day);
    const players = await this.ranking.playersOf(day);
    const attempt = toAttempt(playerId, day, stored);
    const { totalMoves } = attempt;
    const place = stored && totalMoves !== null ? await this.ranking.placeOf(day, { ...stored, totalMoves }) : null;
    return {
      attempt,
      par: totalMoves === null ? null : await this.parOf(day),
      endsAt: endOfDay(day),
      place,
      // The last attempts may be missing in the ranking for a second.
      players: Math.max(players, place ?? 0),
    };
  }

  /** Starts a game of today. */
  async start({ playerId }: SignedInPlayer, { day, game }: { day: string; game: number }): Promise<Answer> {
    for (;;) {
      const attempt = await this.attempts.find(playerId, day);
      const refuse = (reason: Reason) => refused(reason, toAttempt(playerId, day, attempt));
      if (attempt?.games[game - 1] !== undefined) return played(attempt);
      if (day !== utcDay(this.clock.now()) || attempt?.closed) return refuse('not_today');
      const started = attempt?.games.length ?? 0;
      if (game !== started + 1 || (attempt && attempt.finished < started)) return refuse('game_out_of_order');
      if (attempt) {
        const startedAt = [...attempt.startedAt, this.clock.now()];
        await this.attempts.replace(attempt, { ...attempt, games: [...attempt.games, ''], startedAt });
      } else {
        await this.days.seedsOf(day);
        const refusal = await this.attempts.begin(playerId, day);
        if (refusal) return refuse(refusal);
      }
    }
  }

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

  private async answer(player: SignedInPlayer, attempt: Attempt, answer: BotAnswer): Promise<Answer> {
    if (!answer.result) return played(attempt, answer);
    const counted = await this.finishedGames.count(player, attempt);
    return played(attempt, answer, counted ?? (await this.stats.ofPlayer(player.playerId)));
  }

  /** The fewest moves for the best result of a day. */
  private async parOf(day: string): Promise<number> {
    if (this.par?.day !== day) this.par = { day, moves: parOf(await this.days.seedsOf(day)) };
    return this.par.moves;
  }
}
