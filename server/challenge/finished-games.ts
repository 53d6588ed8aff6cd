import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import type { SignedInPlayer } from '../auth/sessions/session.js';
import { Clock, utcDay } from '../base/clock.js';
import { BackgroundConnections, BackgroundWork, WorksInBackground } from '../database/background-work.js';
import { unavailability } from '../database/errors.js';
import { challengeGameId } from '../games/challenge-game-id.js';
import type { GameLimits } from '../stats/game-limits.js';
import { type GameOwner, GameWriter } from '../stats/game-writer.js';
import { Env } from '../settings/env.js';
import { type PlayerStatsType, toPlayerStats } from '../stats/player-stats.type.js';
import { Attempt, resultOf, squaresOf } from './attempt.js';
import { ChallengeDays } from './challenge-days.js';
import { ChallengeIdentities } from './challenge-identities.js';

const NOTE_COUNTED = 'UPDATE challenge_attempts SET counted = greatest(counted, $3) WHERE player_id = $1 AND day = $2';

/** Otherwise a player could use up the limits to keep a loss out of the stats. */
const NO_LIMIT = { gamesPerMinute: 0, gamesPerDay: 0 };

/** Counts the finished games of an attempt in the player's stats. A repetition completes what a crash has left. */
@Injectable()
export class FinishedGames {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly days: ChallengeDays,
    private readonly writer: GameWriter,
    private readonly env: Env,
  ) {}

  /**
   * Counts each finished game that is not in the stats yet.
   * @returns the player's stats after that, if they are known
   */
  async count(player: SignedInPlayer, attempt: Attempt): Promise<PlayerStatsType | undefined> {
    return (await this.countUpTo(attempt.finished, player, attempt, this.env)).stats;
  }

  /**
   * Counts all games of an attempt whose day is over, also of a player without a session. An unfinished game is lost.
   * @returns whether all of them are in the stats now
   */
  async settle(attempt: Attempt): Promise<boolean> {
    const { playerId, games } = attempt;
    const { counted } = await this.countUpTo(games.length, { playerId }, attempt, NO_LIMIT);
    return counted === games.length;
  }

  private async countUpTo(
    last: number,
    player: GameOwner,
    attempt: Attempt,
    limits: GameLimits,
  ): Promise<{ counted: number; stats?: PlayerStatsType }> {
    const { playerId, day, games, startedAt } = attempt;
    const seeds = await this.days.seedsOf(day);
    let stats: PlayerStatsType | undefined;
    let { counted } = attempt;
    while (counted < last) {
      const squares = games[counted]!;
      const played = await this.writer.count(
        player,
        {
          id: challengeGameId(playerId, day, counted + 1),
          source: 'verified',
          difficulty: CHALLENGE_DIFFICULTIES[counted]!,
          result: resultOf(squares) ?? 'lose',
          seed: seeds[counted]!,
          moves: squaresOf(squares),
          startedAt: startedAt[counted]!,
          byProgram: false,
        },
        limits,
      );
      // The settlement counts a game over a limit.
      if (played.status === 'too_many_games' || played.status === 'too_many_games_today') break;
      // A game that differs stays as it was counted first.
      if ('sums' in played) stats = toPlayerStats(playerId, played.sums);
      counted += 1;
    }
    if (counted > attempt.counted) await this.database.query(NOTE_COUNTED, [playerId, day, counted]);
    return { counted, ...(stats && { stats }) };
  }
}

const INTERVAL = 60_000;
const PAGE = 200;

type AttemptKey = Pick<Attempt, 'playerId' | 'day'>;
const BEFORE_ALL: AttemptKey = { day: '2000-01-01', playerId: '00000000-0000-0000-0000-000000000000' };

/** Some games may be open or missing in the stats. An index has this condition. A date as text has no time zone. */
const UNSETTLED = `
  SELECT player_id AS "playerId", day::text FROM challenge_attempts
  WHERE (NOT closed OR counted < cardinality(games)) AND day < $1 AND (day, player_id) > ($2, $3)
  ORDER BY day, player_id LIMIT ${PAGE}`;

/**
 * Settles the attempts of earlier days once a minute: an unfinished game is lost, and each game that is not in the player's stats
 * yet is counted. It also forgets the identities of days that are over. Every server does it. Each step can be repeated, so a
 * crash between two steps changes nothing.
 */
@Injectable()
export class SettlementService extends WorksInBackground {
  private readonly logger = new Logger('Challenge');
  protected readonly work = new BackgroundWork('challenge_settlement', INTERVAL, (stopping) =>
    this.settleAll(stopping),
  );

  constructor(
    private readonly background: BackgroundConnections,
    private readonly finishedGames: FinishedGames,
    private readonly identities: ChallengeIdentities,
    private readonly clock: Clock,
  ) {
    super();
  }

  private async settleAll(stopping: AbortSignal): Promise<void> {
    const { manager } = this.background;
    const problems: Error[] = [];
    let settled = 0;
    try {
      let last = BEFORE_ALL;
      for (let page = PAGE; page === PAGE;) {
        const today = utcDay(this.clock.now());
        const attempts = await manager.query<AttemptKey[]>(UNSETTLED, [today, last.day, last.playerId]);
        for (const attempt of attempts) {
          if (stopping.aborted) return;
          try {
            if (await this.settle(attempt)) settled += 1;
          } catch (error) {
            if (unavailability(error) !== undefined) throw error;
            // One bad attempt must not keep those after it.
            problems.push(new Error(`The attempt of ${attempt.playerId} on ${attempt.day}: ${String(error)}`));
          }
        }
        page = attempts.length;
        last = attempts.at(-1) ?? last;
      }
    } finally {
      if (settled > 0) this.logger.log({ event: 'challenge_settled', attempts: settled });
    }
    await this.identities.removeEarlier(manager);
    if (problems[0]) throw problems[0];
  }

  private async settle({ playerId, day }: AttemptKey): Promise<boolean> {
    const attempts = this.background.manager.getRepository(Attempt);
    await attempts.update({ playerId, day, closed: false }, { closed: true });
    // A server whose clock is behind may have played a move until then. A deleted player has no attempt any more.
    const closed = await attempts.findOneBy({ playerId, day });
    return closed !== null && this.finishedGames.settle(closed);
  }
}
