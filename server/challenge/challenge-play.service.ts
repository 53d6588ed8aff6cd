import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import { lockedPlayer } from '../auth/players/players.repository.js';
import { sessionEnded, type SignedInPlayer } from '../auth/sessions/session.entity.js';
import { Clock, dayBefore, utcDay } from '../base/clock.js';
import { isForeignKeyViolation, retryConflicts } from '../database/errors.js';
import { Attempt } from './attempt.entity.js';
import { type BotAnswer, type PlayerMove, playSquare } from './attempt.js';
import { ChallengeDays } from './challenge-days.service.js';
import { ChallengeIdentities } from './challenge-identities.service.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import { type Answer, played, type Reason, refused, toAttempt } from './challenge.type.js';
import { FinishedGames } from './finished-games.service.js';

interface WantedGame {
  readonly day: string;
  readonly game: number;
  /** The player whose link led here. */
  readonly daredBy?: string | null;
}

/** Plays today's challenge. A start or a move may be sent again: it gives the same answer and changes nothing. */
@Injectable()
export class ChallengePlayService {
  constructor(
    @InjectRepository(Attempt) private readonly attempts: Repository<Attempt>,
    private readonly identities: ChallengeIdentities,
    private readonly days: ChallengeDays,
    private readonly ranking: ChallengeRankingService,
    private readonly finishedGames: FinishedGames,
    private readonly clock: Clock,
  ) {}

  async start({ playerId }: SignedInPlayer, { day, game, daredBy }: WantedGame): Promise<Answer> {
    for (;;) {
      const attempt = await this.attempts.findOneBy({ playerId, day });
      const refuse = (reason: Reason) => refused(reason, toAttempt(playerId, day, attempt));
      if (attempt?.games[game - 1] !== undefined) return played(attempt);
      if (day !== utcDay(this.clock.now()) || attempt?.closed) return refuse('not_today');
      const started = attempt?.games.length ?? 0;
      if (game !== started + 1 || (attempt && attempt.finished < started)) return refuse('game_out_of_order');
      if (attempt) {
        const startedAt = [...attempt.startedAt, this.clock.now()];
        await this.replace(attempt, { ...attempt, games: [...attempt.games, ''], startedAt });
      } else {
        await this.days.seedsOf(day);
        const refusal = await this.begin(playerId, day, daredBy);
        if (refusal) return refuse(refusal);
      }
    }
  }

  /** Plays a square. Of two squares for the same move, one wins: the other is refused. */
  async play(player: SignedInPlayer, { day, ...move }: PlayerMove & { day: string }): Promise<Answer> {
    const { playerId } = player;
    for (;;) {
      const attempt = await this.attempts.findOneBy({ playerId, day });
      const isToday = day === utcDay(this.clock.now());
      const refuse = (reason: Reason) => refused(reason, toAttempt(playerId, day, attempt));
      if (!attempt) return refuse(isToday ? 'game_not_started' : 'not_today');
      const seeds = await this.days.seedsOf(day);
      const next = playSquare(attempt, move, seeds[move.game - 1]!);
      if (next.status === 'repeated') return this.answer(player, attempt, next.answer);
      if (!isToday || attempt.closed) return refuse(attempt.finished === CHALLENGE_GAMES ? 'game_over' : 'not_today');
      if (next.status === 'refused') return refuse(next.reason);
      if (await this.replace(attempt, next.attempt)) {
        if (next.answer.result) this.ranking.forget(day);
        return this.answer(player, next.attempt, next.answer);
      }
    }
  }

  /** Each statement has the rows of one player, so that two who forget each other lock them in the same order. */
  async forgetDares(one: string, other: string): Promise<void> {
    await this.attempts.update({ playerId: one, daredBy: other }, { daredBy: null });
    await this.attempts.update({ playerId: other, daredBy: one }, { daredBy: null });
  }

  private async answer(player: SignedInPlayer, attempt: Attempt, answer: BotAnswer): Promise<Answer> {
    if (!answer.result) return played(attempt, answer);
    return played(attempt, answer, await this.finishedGames.count(player, attempt));
  }

  /**
   * Begins the day's attempt with its first game. Does nothing when it exists already.
   * @returns why it may not begin
   */
  private begin(playerId: string, day: string, darer?: string | null): ReturnType<ChallengeIdentities['start']> {
    const begun = retryConflicts(() =>
      this.attempts.manager.transaction(async (transaction) => {
        const refusal = await this.identities.start(transaction, playerId, day);
        if (refusal) return refusal;
        // Only a player with a result dares others. Locked: the deletion of that account waits, and erases it here too.
        const isDare =
          darer &&
          darer !== playerId &&
          (await transaction.existsBy(Attempt, { playerId: darer, day, finished: CHALLENGE_GAMES }));
        const daredBy = isDare && (await lockedPlayer(transaction, darer, 'pessimistic_read'))?.id;
        const before = await transaction.findOneBy(Attempt, { playerId, day: dayBefore(day) });
        const runStart = before?.runStart ?? day;
        const first = { playerId, day, runStart, games: [''], startedAt: [this.clock.now()], daredBy: daredBy || null };
        const insert = transaction.createQueryBuilder().insert().into(Attempt).values(first);
        await insert.orIgnore().updateEntity(false).execute();
        return undefined;
      }),
    );
    return begun.catch((error: unknown) => {
      throw isForeignKeyViolation(error) ? sessionEnded() : error;
    });
  }

  /** Replaces an attempt that is still the same, and still open. */
  private async replace(before: Attempt, after: Attempt): Promise<boolean> {
    const { playerId, day, games, startedAt, finished, wins, draws, closed, totalMoves } = after;
    const { affected } = await this.attempts
      .createQueryBuilder()
      .update()
      .set({ games, startedAt, finished, wins, draws, closed, totalMoves })
      .where({ playerId, day, closed: false })
      .andWhere('games = :before', { before: before.games })
      .execute();
    return affected === 1;
  }
}

/** Forgets whom others were dared by, with the account. */
export async function eraseDaresOf(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.update(Attempt, { daredBy: playerId }, { daredBy: null });
}

/** For the export of an account. There is one row a day. */
export const attemptsOf = (transaction: EntityManager, playerId: string): Promise<object[]> =>
  transaction.find(Attempt, { where: { playerId }, order: { day: 'ASC' } });
