import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CHALLENGE_DIFFICULTIES, CHALLENGE_GAMES } from '../../game/challenge.js';
import { type SignedInPlayer, sessionEnded } from '../auth/sessions/signed-in.js';
import { Clock } from '../base/clock.js';
import { isForeignKeyViolation } from '../database/errors/foreign-key-violation.js';
import { Env } from '../settings/env.js';
import { challengeGameId } from '../games/challenge-game-id.js';
import { dayBefore, endOfDay, utcDay } from '../counting/day.js';
import { Recorder } from '../games/recorder.js';
import type { PlayerStatsType } from '../stats/player-stats.type.js';
import { StatsService } from '../stats/stats.service.js';
import { type Attempt, type BotAnswer, type PlayerMove, playSquare, resultOf, squaresOf } from './attempt.js';
import { AttemptStore } from './attempt-store.js';
import { ChallengeDays } from './challenge-days.js';
import { ChallengeTableService } from './challenge-table.service.js';
import {
  type ChallengeAttemptType,
  ChallengePlayed,
  ChallengeRefusalReason,
  ChallengeRefused,
  type MyChallengeType,
} from './challenge.type.js';
import { SettlementService } from './settlement.service.js';

type Answer = ChallengePlayed | ChallengeRefused;
type Reason = keyof typeof ChallengeRefusalReason;

/** The last day in a row is today or yesterday, because today's games may still come. */
const DAYS_IN_A_ROW = `
  SELECT count(*)::integer AS days FROM (
    SELECT day, max(day) OVER () AS last, row_number() OVER (ORDER BY day DESC)::integer AS place
    FROM challenge_attempts WHERE player_id = $1 AND finished = ${CHALLENGE_GAMES} AND day <= $2
  ) AS done
  WHERE last >= $3 AND day = last - (place - 1)`;

/** Plays the challenge. A start or a move may be sent again: it gives the same answer and changes nothing. */
@Injectable()
export class ChallengeService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: AttemptStore,
    private readonly days: ChallengeDays,
    private readonly table: ChallengeTableService,
    private readonly settlement: SettlementService,
    private readonly recorder: Recorder,
    private readonly stats: StatsService,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  async mine(playerId: string): Promise<MyChallengeType> {
    const day = this.today();
    const yesterday = dayBefore(day);
    const [attempt, [{ days }], players, yesterdaysBest] = await Promise.all([
      this.store.find(playerId, day),
      this.database.query<[{ days: number }]>(DAYS_IN_A_ROW, [playerId, day, yesterday]),
      this.table.playersOf(day),
      this.table.bestOf(yesterday),
    ]);
    const place = attempt?.finished === CHALLENGE_GAMES ? await this.table.placeOf(day, attempt) : null;
    return {
      attempt: toAttempt(playerId, day, attempt),
      endsAt: endOfDay(day),
      place,
      // The last attempts may be missing in the table's sums for a second.
      players: Math.max(players, place ?? 0),
      daysInARow: days,
      yesterdaysBest,
    };
  }

  /** Starts a game of today. */
  async start({ playerId }: SignedInPlayer, { day, game }: { day: string; game: number }): Promise<Answer> {
    if (game === 1) await this.settlement.settlePlayer(playerId);
    for (;;) {
      const attempt = await this.store.find(playerId, day);
      const refuse = (reason: Reason) => refused(reason, toAttempt(playerId, day, attempt));
      if (attempt?.games[game - 1] !== undefined) {
        // The settlement may have changed the stats.
        return played(attempt, NOTHING_PLAYED, game === 1 ? await this.stats.ofPlayer(playerId) : null);
      }
      if (day !== this.today() || attempt?.closed) return refuse('not_today');
      const started = attempt?.games.length ?? 0;
      if (game !== started + 1 || (attempt && attempt.finished < started)) return refuse('game_out_of_order');
      if (attempt) {
        const startedAt = [...attempt.startedAt, this.clock.now()];
        await this.store.replace(attempt, { ...attempt, games: [...attempt.games, ''], startedAt });
      } else {
        await this.days.seedsOf(day);
        await this.store.begin(playerId, day).catch((error: unknown) => {
          throw isForeignKeyViolation(error) ? sessionEnded() : error;
        });
      }
    }
  }

  /** Plays a square. Of two squares for the same move, one wins: the other is refused. */
  async play(player: SignedInPlayer, { day, ...move }: PlayerMove & { day: string }): Promise<Answer> {
    const { playerId } = player;
    for (;;) {
      const attempt = await this.store.find(playerId, day);
      const isToday = day === this.today();
      const refuse = (reason: Reason) => refused(reason, toAttempt(playerId, day, attempt));
      if (!attempt) return refuse(isToday ? 'game_not_started' : 'not_today');
      const seeds = await this.days.seedsOf(day);
      const next = playSquare(attempt, move, seeds[move.game - 1]!);
      if (next.status === 'repeated') return this.answer(player, attempt, next.answer);
      if (!isToday || attempt.closed) return refuse(attempt.finished === CHALLENGE_GAMES ? 'game_over' : 'not_today');
      if (next.status === 'refused') return refuse(next.reason);
      if (await this.store.replace(attempt, next.attempt)) {
        if (next.answer.result) this.table.forget(day);
        return this.answer(player, next.attempt, next.answer);
      }
    }
  }

  private async answer(player: SignedInPlayer, attempt: Attempt, answer: BotAnswer): Promise<Answer> {
    if (!answer.result) return played(attempt, answer);
    return played(attempt, answer, await this.countFinished(player, attempt));
  }

  /** Counts each finished game that is not in the stats yet. A repeated move completes what a crash has left. */
  private async countFinished(player: SignedInPlayer, attempt: Attempt): Promise<PlayerStatsType> {
    const { playerId, day, games, startedAt, finished } = attempt;
    let stats: PlayerStatsType | undefined;
    let { counted } = attempt;
    while (counted < finished) {
      const game = counted + 1;
      const squares = games[counted]!;
      const seeds = await this.days.seedsOf(day);
      const recorded = await this.recorder.record(player, {
        id: challengeGameId(playerId, day, game),
        difficulty: CHALLENGE_DIFFICULTIES[counted]!,
        result: resultOf(squares)!,
        verified: { seed: seeds[counted]!, moves: squaresOf(squares), startedAt: startedAt[counted]! },
        gamesPerMinute: this.env.gamesPerMinute,
        gamesPerDay: this.env.gamesPerDay,
      });
      // The settlement counts a game over a limit later.
      if (recorded.status !== 'counted' && recorded.status !== 'repeated') break;
      stats = recorded.stats;
      counted = game;
    }
    if (counted > attempt.counted) await this.store.noteCounted(attempt, counted);
    return stats ?? this.stats.ofPlayer(playerId);
  }

  private today(): string {
    return utcDay(this.clock.now());
  }
}

const NOTHING_PLAYED: BotAnswer = { botSquare: null, result: null };

function played(attempt: Attempt, answer = NOTHING_PLAYED, stats: PlayerStatsType | null = null): ChallengePlayed {
  const { playerId, day } = attempt;
  return Object.assign(new ChallengePlayed(), { attempt: toAttempt(playerId, day, attempt), ...answer, stats });
}

const MESSAGES: Record<Reason, string> = {
  not_today: 'The day of this challenge is not today. Open the challenge of today.',
  game_out_of_order: 'Finish the earlier games of the challenge first.',
  game_not_started: 'Start this game before you play it.',
  game_over: 'This game is over.',
  move_out_of_order: 'An earlier move of this game is missing. Load the game again.',
  other_square_played: 'You have already played this move on another square. Load the game again.',
  illegal_move: 'This square is taken.',
};

function refused(reason: Reason, attempt: ChallengeAttemptType): ChallengeRefused {
  const named = { reason: ChallengeRefusalReason[reason], message: MESSAGES[reason], attempt };
  return Object.assign(new ChallengeRefused(), named);
}

function toAttempt(playerId: string, day: string, attempt: Attempt | null): ChallengeAttemptType {
  const games = CHALLENGE_DIFFICULTIES.map((difficulty, at) => {
    const squares = attempt?.games[at];
    return {
      number: at + 1,
      difficulty,
      started: squares !== undefined,
      squares: squaresOf(squares ?? ''),
      result: resultOf(squares ?? ''),
    };
  });
  return { playerId, day, games };
}
