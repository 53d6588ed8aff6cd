import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import { DataSource, QueryFailedError } from 'typeorm';
import { weekOf } from '../../game/week.js';
import { connectionsMissed, pools } from '../database/pool.js';
import { Unavailable } from '../base/errors.js';
import { Env } from '../settings/env.js';
import type { SignedInPlayer } from '../auth/sessions/session.entity.js';
import { Clock } from '../base/clock.js';
import { PlayerChanges } from '../base/events.js';
import { isDistributed } from '../database/distribution.js';
import { isLockConflict, retryConflicts } from '../database/errors.js';
import { BATCHES } from '../settings/database-settings.js';
import { Refusal } from '../web/answers/refusals.js';
import { Batches } from './batches.js';
import { type Counted, countGames, type Gone } from './count-games.js';
import {
  DAY_SUMS,
  type DaySums,
  type GameLimits,
  gamesOnDay,
  type GameToCount,
  nextCountedFrom,
} from './game-limits.js';

/** Admits a number of users at a time. */
export class Semaphore {
  private readonly waiting = new Set<() => void>();

  /** @param patience how long a user waits for a turn, in milliseconds */
  constructor(
    private free: number,
    private readonly patience: number,
  ) {}

  /** The users that have to wait, and the turns that nobody uses. */
  protected get state(): { readonly waiting: number; readonly free: number } {
    return { waiting: this.waiting.size, free: this.free };
  }

  /** @throws {Unavailable} when no turn begins in time */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.wait();
    try {
      return await work();
    } finally {
      const [next] = this.waiting;
      if (next) next();
      else this.free += 1;
    }
  }

  /** A user has waited for too long. */
  protected gaveUp(): void {}

  private wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(begin);
        this.gaveUp();
        reject(new Unavailable('Too many requests wait for games'));
      }, this.patience);
      this.waiting.add(begin);
    });
  }
}

const POOL = 'games';

/**
 * Limits the connections for the table `games`. When that table is locked, the requests that wait for it can block only
 * these connections; the rest of the pool stays free for other requests.
 */
@Injectable()
export class GameConnections extends Semaphore {
  constructor({ database }: Env) {
    const { gameConnections: max, lock } = database;
    super(max, lock);
    pools.offer(POOL, () => ({ max, open: max, idle: this.state.free, waiting: this.state.waiting }));
  }

  protected override gaveUp(): void {
    connectionsMissed.publish({ pool: POOL });
  }
}

/** Whose game it is. */
export type GameOwner = Pick<SignedInPlayer, 'playerId' | 'scopes'>;

/** Every finished game is counted here: verified, reported or of the challenge. Under load, games share statements. */
@Injectable()
export class GameWriter implements OnModuleInit {
  private batches!: Batches<GameToCount, Counted | Gone>;
  /** Games that wait long for a lock leave connections to the batches. */
  private readonly patient: Semaphore;
  private readonly lockLimit: number;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly connections: GameConnections,
    private readonly clock: Clock,
    private readonly changes: PlayerChanges,
    private readonly env: Env,
  ) {
    const settings = env.database;
    this.lockLimit = settings.lock;
    this.patient = new Semaphore(settings.gameConnections - BATCHES.concurrent, settings.lock);
  }

  /** In a distributed database, each game goes to the shard of its player, and many shards work at a time. */
  async onModuleInit(): Promise<void> {
    const distributed = await isDistributed(this.database);
    this.batches = new Batches({
      concurrent: distributed ? Infinity : BATCHES.concurrent,
      size: distributed ? 1 : BATCHES.size,
      patience: this.lockLimit,
      enter: (batch) => this.connections.use(batch),
      work: (games) => countGames(this.database, games, BATCHES.lock),
      isOfOneItem: isOfOneGame,
    });
  }

  /**
   * Counts the game once, even if the client sends it again: `repeated` returns the same game and the current stats.
   * @param game `byProgram`: whether a program has got its ticket, whoever sends it
   * @throws {Refusal} when the player is gone
   */
  async count(
    { playerId, scopes }: GameOwner,
    game: Omit<GameToCount['game'], 'playerId' | 'finishedAt'>,
    limits: GameLimits,
  ): Promise<Counted> {
    const byProgram = game.byProgram || scopes !== undefined;
    const finished = { ...game, playerId, byProgram, finishedAt: this.clock.now() };
    const counted = await this.inBatch({ game: finished, limits });
    if (counted.status === 'gone') throw new Refusal('unauthenticated', 'This account no longer exists.');
    if ('game' in counted) {
      const { sums, weekScore } = counted;
      const week = weekScore === null ? undefined : { name: weekOf(finished.finishedAt), score: weekScore };
      this.changes.publish({ playerId, score: sums.score, week });
    }
    return counted;
  }

  /** The time from which a game of this player counts, or null when it counts now. */
  async countsFrom(playerId: string): Promise<Date | null> {
    const { gamesPerDay } = this.env;
    if (gamesPerDay === 0) return null;
    const now = this.clock.now();
    const [sums] = await this.database.query<DaySums[]>(DAY_SUMS, [playerId]);
    const games = sums ? await gamesOnDay(this.ofGames, sums, { playerId, finishedAt: now }) : 0;
    return nextCountedFrom(now, games, gamesPerDay);
  }

  /** Reads of `games` share its connections. */
  private readonly ofGames = {
    query: <T>(text: string, values?: unknown[]) => this.connections.use(() => this.database.query<T>(text, values)),
  };

  private async inBatch(game: GameToCount): Promise<Counted | Gone> {
    try {
      return await this.batches.run(game);
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      return this.patient.use(() => this.countPatiently(game));
    }
  }

  private async countPatiently(game: GameToCount): Promise<Counted | Gone> {
    const [counted] = await retryConflicts(() =>
      this.connections.use(() => countGames(this.database, [game], this.lockLimit)),
    );
    return counted!;
  }
}

/** Codes that say nothing about one game: a lost connection, a read-only, full or stopping server, a time limit. */
const OF_THE_DATABASE = /^(08|25|53|57)/;

/** Whether PostgreSQL refused the statement because of one of its games. */
function isOfOneGame(error: unknown): boolean {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : undefined;
  const code = cause instanceof pg.DatabaseError ? cause.code : undefined;
  return code !== undefined && !OF_THE_DATABASE.test(code);
}
