import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { CHALLENGE_GAMES, compareResults, parOf } from '../../game/challenge.js';
import { lockedPlayer } from '../auth/players/players.repository.js';
import { sessionEnded, type SignedInPlayer } from '../auth/sessions/session.entity.js';
import { Clock, dayBefore, endOfDay, utcDay } from '../base/clock.js';
import { columnsIn, select } from '../database/entity-columns.js';
import { isForeignKeyViolation, retryConflicts } from '../database/errors.js';
import { StatsService } from '../stats/stats.service.js';
import { Attempt } from './attempt.entity.js';
import { type BotAnswer, type PlayerMove, playSquare } from './attempt.js';
import { ChallengeDays } from './challenge-days.service.js';
import { ChallengeIdentities } from './challenge-identities.service.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import { type Answer, played, type Reason, refused, toAttempt } from './challenge.type.js';
import { FinishedGames } from './finished-games.service.js';
import { type MyChallengeType, takersIn } from './my-challenge.type.js';

/** As many days as the player's own chart shows. */
const SHOWN_DAYS = 30;

/** The newest attempts of a player, with the number of days in a row that each belongs to, and whether the player is hidden. */
const NEWEST = `
  SELECT ${select(columnsIn(Attempt), 'a')}, count(*) OVER (PARTITION BY a.island)::integer AS run,
    EXISTS (SELECT FROM player_stats s WHERE s.player_id = $1 AND NOT s.listed) AS hidden
  FROM (
    SELECT *, day + (row_number() OVER (ORDER BY day DESC))::integer AS island
    FROM challenge_attempts WHERE player_id = $1 AND day <= $2
  ) AS a ORDER BY a.day DESC LIMIT ${SHOWN_DAYS}`;

interface WantedGame {
  readonly day: string;
  readonly game: number;
  /** The player whose link led here. */
  readonly daredBy?: string | null;
}

type Played = Attempt & { readonly run: number; readonly hidden: boolean };

/** Plays today's challenge. A start or a move may be sent again: it gives the same answer and changes nothing. */
@Injectable()
export class ChallengePlayService {
  /** The fewest moves of the last day that was asked for: they take 30 ms to compute. */
  private par: { readonly day: string; readonly moves: number } | undefined;

  constructor(
    @InjectRepository(Attempt) private readonly attempts: Repository<Attempt>,
    private readonly identities: ChallengeIdentities,
    private readonly days: ChallengeDays,
    private readonly ranking: ChallengeRankingService,
    private readonly finishedGames: FinishedGames,
    private readonly stats: StatsService,
    private readonly clock: Clock,
  ) {}

  /** Today's challenge as one player sees it. */
  async mine(playerId: string): Promise<MyChallengeType> {
    const day = utcDay(this.clock.now());
    const dayAgo = dayBefore(day);
    const played = await this.attempts.query<Played[]>(NEWEST, [playerId, day]);
    const begun = played.find((one) => one.day === day) ?? null;
    const settled = played.filter((one) => one.finished === CHALLENGE_GAMES || this.days.isPublished(one.day));
    const today = settled.find((one) => one.day === day);
    const before = settled.find((one) => one.day === dayAgo && this.days.isPublished(dayAgo));
    const standingOf = (one?: Played) => (one && !one.hidden ? this.ranking.standingOf(one.day, one) : null);
    const standing = await standingOf(today);
    return {
      attempt: toAttempt(playerId, day, begun),
      par: today ? await this.parOf(day) : null,
      endsAt: endOfDay(day),
      place: standing?.place ?? null,
      players: standing?.players ?? (await this.ranking.playersOf(day)),
      run: played[0] && played[0].day >= dayAgo ? played[0].run : 0,
      chart: chartOf(settled.filter((one) => one.day > dayBefore(day, SHOWN_DAYS))),
      yesterday: await standingOf(before),
      isBetter: Boolean(today && before && compareResults(today, before) < 0),
      ...takersIn(settled[0] ? await this.ranking.takersOf(settled[0]) : [], settled[0]),
    };
  }

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

  private async answer(player: SignedInPlayer, attempt: Attempt, answer: BotAnswer): Promise<Answer> {
    if (!answer.result) return played(attempt, answer);
    const counted = await this.finishedGames.count(player, attempt);
    return played(attempt, answer, counted ?? (await this.stats.of(player.playerId)));
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
        // Locked: the deletion of that account waits, and erases it in this row too.
        const daredBy = darer && darer !== playerId && (await lockedPlayer(transaction, darer, 'pessimistic_read'))?.id;
        const first = { playerId, day, games: [''], startedAt: [this.clock.now()], daredBy: daredBy || null };
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

  private async parOf(day: string): Promise<number> {
    if (this.par?.day !== day) this.par = { day, moves: parOf(await this.days.seedsOf(day)) };
    return this.par.moves;
  }
}

/** How many of the attempts have 0 to 5 wins. */
const chartOf = (attempts: readonly Attempt[]): number[] =>
  Array.from({ length: CHALLENGE_GAMES + 1 }, (_, wins) => attempts.filter((one) => one.wins === wins).length);

/** Forgets whom others were dared by, with the account. */
export async function eraseDaresOf(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.update(Attempt, { daredBy: playerId }, { daredBy: null });
}

/** For the export of an account. There is one row a day. */
export const attemptsOf = (transaction: EntityManager, playerId: string): Promise<object[]> =>
  transaction.find(Attempt, { where: { playerId }, order: { day: 'ASC' } });
