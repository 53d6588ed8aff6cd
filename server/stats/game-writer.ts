import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { connectionsMissed } from '../database/pool.js';
import { Env } from '../settings/env.js';
import type { SignedInPlayer } from '../auth/sessions/session.entity.js';
import { Clock } from '../base/clock.js';
import { Unavailable } from '../base/errors.js';
import { PlayerChanges } from '../base/events.js';
import { DISTRIBUTED } from '../database/distribution.js';
import { retryConflicts, saidByDatabase } from '../database/errors.js';
import { sharedReads } from '../database/shared-reads.js';
import { BATCHES } from '../settings/database-settings.js';
import { Refusal } from '../web/answers/refusals.js';
import { Batches } from './batches.js';
import { type Counted, countGames, type Gone } from './count-games.js';
import {
  type DaySums,
  daySumsOf,
  type GameLimits,
  gamesOnDay,
  type GameToCount,
  nextCountedFrom,
} from './game-limits.js';

/** Whose game it is. */
export type GameOwner = Pick<SignedInPlayer, 'playerId' | 'scopes'>;

/** Every finished game is counted here: verified, reported or of the challenge. Under load, games share statements. */
@Injectable()
export class GameWriter {
  private readonly batches: Batches<GameToCount, Counted | Gone>;
  private readonly daySums: (playerId: string) => Promise<DaySums | undefined>;

  /** In a distributed database, each game goes to the shard of its player, and many shards work at a time. */
  constructor(
    private readonly database: DataSource,
    @Inject(DISTRIBUTED) distributed: boolean,
    private readonly clock: Clock,
    private readonly changes: PlayerChanges,
    private readonly env: Env,
  ) {
    const { writers, lock } = env.database;
    this.daySums = sharedReads((ids) => daySumsOf(database, ids), { alone: distributed });
    this.batches = new Batches({
      concurrent: distributed ? writers : BATCHES.concurrent,
      size: distributed ? 1 : BATCHES.size,
      patience: lock,
      work: (games) => retryConflicts(() => countGames(database, games, BATCHES.lock)),
      isOfOneItem: isOfOneGame,
      onLate: () => connectionsMissed.publish({ pool: 'games' }),
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
    const counted = await this.batches.run({ game: finished, limits });
    if (counted.status === 'gone') throw new Refusal('unauthenticated', 'This account no longer exists.');
    if ('game' in counted) {
      const { sums, week } = counted;
      this.changes.publish({ playerId, score: sums.score, week });
    }
    return counted;
  }

  /** The time from which a game of this player counts, or null when it counts now. */
  async countsFrom(playerId: string): Promise<Date | null> {
    const { gamesPerDay } = this.env;
    if (gamesPerDay === 0) return null;
    const now = this.clock.now();
    const sums = await this.daySums(playerId);
    const games = sums ? await gamesOnDay(this.database, sums, { playerId, finishedAt: now }) : 0;
    return nextCountedFrom(now, games, gamesPerDay);
  }
}

/** Codes that say nothing about one game: a lost connection, a read-only, full or stopping server, a time limit. */
const OF_THE_DATABASE = /^(08|25|53|57)/;

/** Whether PostgreSQL refused the statement because of one of its games. */
function isOfOneGame(error: unknown): boolean {
  const code = error instanceof Unavailable ? undefined : saidByDatabase(error)?.code;
  return code !== undefined && !OF_THE_DATABASE.test(code);
}
