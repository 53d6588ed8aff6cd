import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import { DataSource, QueryFailedError } from 'typeorm';
import { isDistributed } from '../database/distribution.js';
import { isLockConflict, retryConflicts } from '../database/errors.js';
import { BATCHES } from '../settings/database-settings.js';
import { Env } from '../settings/env.js';
import { Batches } from './batches.js';
import { countGames } from './count-games.js';
import type { Counted, GameToCount } from './game-to-count.js';
import { GameConnections, Semaphore } from './game-connections.js';

/** The one writer of games: alone, in a batch, of the challenge, reported. Under load, games share statements. */
@Injectable()
export class GameWriter implements OnModuleInit {
  private batches!: Batches<GameToCount, Counted>;
  /** Games that wait long for a lock leave connections to the batches. */
  private readonly patient: Semaphore;
  private readonly lockLimit: number;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly connections: GameConnections,
    { database: settings }: Env,
  ) {
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

  async count(game: GameToCount): Promise<Counted> {
    try {
      return await this.batches.run(game);
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      return this.patient.use(() => this.countPatiently(game));
    }
  }

  private async countPatiently(game: GameToCount): Promise<Counted> {
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
