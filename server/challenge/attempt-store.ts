import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, type Repository } from 'typeorm';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import { Clock } from '../base/clock.js';
import { dayBefore } from '../counting/day.js';
import { retryConflicts } from '../database/errors/retry-conflicts.js';
import { isForeignKeyViolation } from '../database/errors/sql-state.js';
import { sessionEnded } from '../auth/sessions/signed-in.js';
import { type Attempt, totalMovesOf } from './attempt.js';
import { ChallengeAttempt } from './challenge-attempt.entity.js';
import { ChallengeIdentities } from './challenge-identities.js';

/** The last day in a row is today or yesterday, because today's games may still come. */
const DAYS_IN_A_ROW = `
  SELECT count(*)::integer AS days FROM (
    SELECT day, max(day) OVER () AS last, row_number() OVER (ORDER BY day DESC)::integer AS place
    FROM challenge_attempts WHERE player_id = $1 AND finished = ${CHALLENGE_GAMES} AND day <= $2
  ) AS done
  WHERE last >= $3 AND day = last - (place - 1)`;

export const DAYS_FOR_BADGE = 7;

/** The days that a player has finished, each with the one that is as many days before as the badge needs, if those are in a row. */
const DAYS_WITH_EARLIER = `
  SELECT player_id, day, finished_at, lag(day, ${DAYS_FOR_BADGE - 1}) OVER (PARTITION BY player_id ORDER BY day) AS earlier
  FROM challenge_attempts WHERE finished = ${CHALLENGE_GAMES}`;
const IN_A_ROW = `day - earlier = ${DAYS_FOR_BADGE - 1}`;

const BADGE_REACHED = `
  SELECT finished_at AS at FROM (${DAYS_WITH_EARLIER} AND player_id = $1) AS done WHERE ${IN_A_ROW} ORDER BY day LIMIT 1`;

/** How many players on the leaderboard have the badge. */
export const PLAYERS_WITH_BADGE = `
  SELECT count(DISTINCT player_id)::integer AS seven_challenge_days
  FROM (${DAYS_WITH_EARLIER}) AS done JOIN player_stats s USING (player_id)
  WHERE ${IN_A_ROW} AND s.listed AND s.wins + s.losses + s.draws > 0`;

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
   * Begins the day's attempt, without a game. Does nothing when it exists already.
   * @returns false when the person had an attempt with another account
   */
  begin(playerId: string, day: string): Promise<boolean> {
    const begun = retryConflicts(() =>
      this.attempts.manager.transaction(async (transaction) => {
        if (!(await this.identities.start(transaction, playerId, day))) return false;
        await transaction
          .getRepository(ChallengeAttempt)
          .createQueryBuilder()
          .insert()
          .values({ playerId, day, games: [], startedAt: [] })
          .orIgnore()
          .updateEntity(false)
          .execute();
        return true;
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
        finishedAt: finished === CHALLENGE_GAMES ? this.clock.now() : null,
      })
      .where({ playerId, day, closed: false })
      .andWhere('games = :before', { before: before.games })
      .execute();
    return affected === 1;
  }

  /** Notes the answer to the day's position, if there is none. */
  async answerPosition(playerId: string, day: string, positionSquare: number): Promise<void> {
    await this.attempts.update({ playerId, day, positionSquare: IsNull() }, { positionSquare });
  }

  /** When the player finished the last of the first days in a row that the badge needs. */
  async badgeReachedAt(playerId: string): Promise<Date | null> {
    const [reached] = await this.attempts.query<{ at: Date }[]>(BADGE_REACHED, [playerId]);
    return reached?.at ?? null;
  }

  /** On how many days in a row, up to today or yesterday, the player has finished all games. */
  async daysInARow(playerId: string, today: string): Promise<number> {
    const values = [playerId, today, dayBefore(today)];
    const [{ days }] = await this.attempts.query<[{ days: number }]>(DAYS_IN_A_ROW, values);
    return days;
  }

  /** For the export of an account. There is one row a day. */
  allOf(playerId: string, transaction: EntityManager): Promise<object[]> {
    return transaction.getRepository(ChallengeAttempt).find({ where: { playerId }, order: { day: 'ASC' } });
  }
}
