import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Clock } from '../base/clock.js';
import { isForeignKeyViolation, retryConflicts } from '../database/errors.js';
import { sessionEnded } from '../auth/sessions/session.js';
import { type Attempt, totalMovesOf } from './attempt.js';
import { ChallengeAttempt } from './challenge-attempt.entity.js';
import { ChallengeIdentities } from './challenge-identities.js';

/** Reads and changes attempts. A change succeeds only if nobody has changed the attempt meanwhile. */
@Injectable()
export class AttemptStore {
  constructor(
    @InjectRepository(ChallengeAttempt) private readonly attempts: Repository<ChallengeAttempt>,
    private readonly identities: ChallengeIdentities,
    private readonly clock: Clock,
  ) {}

  find(playerId: string, day: string): Promise<Attempt | null> {
    return this.attempts.findOneBy({ playerId, day });
  }

  /**
   * Begins the day's attempt with its first game. Does nothing when it exists already.
   * @returns why it may not begin
   */
  begin(playerId: string, day: string): ReturnType<ChallengeIdentities['start']> {
    const begun = retryConflicts(() =>
      this.attempts.manager.transaction(async (transaction) => {
        const refusal = await this.identities.start(transaction, playerId, day);
        if (refusal) return refusal;
        await transaction
          .getRepository(ChallengeAttempt)
          .createQueryBuilder()
          .insert()
          .values({ playerId, day, games: [''], startedAt: [this.clock.now()] })
          .orIgnore()
          .updateEntity(false)
          .execute();
        return undefined;
      }),
    );
    return begun.catch((error: unknown) => {
      throw isForeignKeyViolation(error) ? sessionEnded() : error;
    });
  }

  /** Replaces an attempt that is still the same, and still open. */
  async replace(before: Attempt, after: Attempt): Promise<boolean> {
    const { playerId, day, games, startedAt, finished, wins, draws, closed } = after;
    const { affected } = await this.attempts
      .createQueryBuilder()
      .update()
      .set({
        games: [...games],
        startedAt: [...startedAt],
        finished,
        wins,
        draws,
        closed,
        totalMoves: totalMovesOf(games),
      })
      .where({ playerId, day, closed: false })
      .andWhere('games = :before', { before: before.games })
      .execute();
    return affected === 1;
  }

  /** For the export of an account. There is one row a day. */
  allOf(playerId: string, transaction: EntityManager): Promise<object[]> {
    return transaction.getRepository(ChallengeAttempt).find({ where: { playerId }, order: { day: 'ASC' } });
  }
}
