import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import { Clock } from '../base/clock.js';
import { BackgroundWork } from '../database/background-work.js';
import { retryConflicts } from '../database/errors/retry-conflicts.js';
import { unavailability } from '../database/errors/unavailable.js';
import { BackgroundConnections } from '../database/background-connections.js';
import { challengeGameId } from '../games/challenge-game-id.js';
import { utcDay } from '../counting/day.js';
import { GameWriter } from '../counting/game-writer.js';
import { PlayerChanges } from '../base/player-changes.js';
import { type Attempt, resultOf, squaresOf } from './attempt.js';
import { ATTEMPT } from './attempt-store.js';
import { ChallengeDays } from './challenge-days.js';

const INTERVAL = 60_000;
const PAGE = 200;
const FIRST_DAY = '2000-01-01';
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** The attempts of earlier days with something left to do, after a given one. */
const UNSETTLED = `
  SELECT ${ATTEMPT} FROM challenge_attempts
  WHERE (NOT closed OR counted < cardinality(games)) AND day < $1 AND (day, player_id) > ($2, $3)
  ORDER BY day, player_id LIMIT ${PAGE}`;

const UNSETTLED_OF_PLAYER = `
  SELECT ${ATTEMPT} FROM challenge_attempts
  WHERE player_id = $1 AND (NOT closed OR counted < cardinality(games)) AND day < $2 ORDER BY day`;

const CLOSE = 'UPDATE challenge_attempts SET closed = true WHERE player_id = $1 AND day = $2 AND NOT closed';
const CLOSED = `SELECT ${ATTEMPT} FROM challenge_attempts WHERE player_id = $1 AND day = $2`;
const NOTE_COUNTED = 'UPDATE challenge_attempts SET counted = greatest(counted, $3) WHERE player_id = $1 AND day = $2';

/** The statuses after which a game needs no further try. A game that differs stays as it was counted first. */
const DONE: ReadonlySet<string> = new Set(['counted', 'repeated', 'differs']);

type Run = <Rows>(statement: string, values: unknown[]) => Promise<Rows>;

/**
 * Closes the attempts of earlier days, once a minute: an unfinished game is lost, and each game that is not in the player's
 * stats yet is counted. Every server does it. Each step can be repeated, so a crash between two steps changes nothing.
 */
@Injectable()
export class SettlementService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Challenge');
  private readonly work = new BackgroundWork('challenge_settlement', INTERVAL, (stopping) => this.settleAll(stopping));

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly background: BackgroundConnections,
    private readonly writer: GameWriter,
    private readonly days: ChallengeDays,
    private readonly clock: Clock,
    private readonly changes: PlayerChanges,
  ) {}

  onApplicationBootstrap(): void {
    this.work.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.work.stop();
  }

  /** Settles the earlier days of a player who begins a new one. */
  async settlePlayer(playerId: string): Promise<void> {
    const run: Run = (statement, values) => this.database.query(statement, values);
    const today = utcDay(this.clock.now());
    for (const attempt of await run<Attempt[]>(UNSETTLED_OF_PLAYER, [playerId, today])) {
      await retryConflicts(() => this.settle(attempt, run));
    }
  }

  private async settleAll(stopping: AbortSignal): Promise<void> {
    const run: Run = (statement, values) => this.background.query(statement, values);
    const problems: Error[] = [];
    let settled = 0;
    try {
      let last = { day: FIRST_DAY, playerId: NO_ID };
      for (let page = PAGE; page === PAGE;) {
        const attempts = await run<Attempt[]>(UNSETTLED, [utcDay(this.clock.now()), last.day, last.playerId]);
        for (const attempt of attempts) {
          if (stopping.aborted) return;
          try {
            if (await this.settle(attempt, run)) settled += 1;
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
    if (problems[0]) throw problems[0];
  }

  /** @returns whether all games of the attempt are in the player's stats now */
  private async settle({ playerId, day }: Attempt, run: Run): Promise<boolean> {
    await run(CLOSE, [playerId, day]);
    // A server whose clock is behind may have played a move until then.
    const [closed] = await run<Attempt[]>(CLOSED, [playerId, day]);
    if (!closed) return false;
    const counted = await this.countGames(closed);
    if (counted > closed.counted) {
      await run(NOTE_COUNTED, [playerId, day, counted]);
      this.changes.publish({ playerId });
    }
    return counted === closed.games.length;
  }

  private async countGames({ playerId, day, games, startedAt, counted }: Attempt): Promise<number> {
    const seeds = await this.days.seedsOf(day);
    for (let game = counted + 1; game <= games.length; game++) {
      const squares = games[game - 1]!;
      const { status } = await this.writer.count({
        playerId,
        // The player may have none by now.
        sessionId: null,
        id: challengeGameId(playerId, day, game),
        source: 'verified',
        difficulty: CHALLENGE_DIFFICULTIES[game - 1]!,
        result: resultOf(squares) ?? 'lose',
        seed: seeds[game - 1],
        moves: squaresOf(squares),
        startedAt: startedAt[game - 1],
        idFrom: startedAt[game - 1],
        now: this.clock.now(),
        // Otherwise a player could use up the limits to keep a loss out of the stats.
        gamesPerMinute: 0,
        gamesPerDay: 0,
      });
      if (!DONE.has(status)) return game - 1;
    }
    return games.length;
  }
}
