import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { isDistributed } from '../database/distributed.js';
import { BATCHES, gameConnections } from '../database/pool/limits.js';
import { isLockConflict } from '../database/errors/lock-conflict.js';
import { retryConflicts } from '../database/errors/retry-conflicts.js';
import { Env } from '../settings/env.js';
import { Batches } from './batches.js';
import { GameConnections } from './game-connections.js';
import { gameBatches } from './batch-events.js';
import { isOfOneGame, type RecordArguments, type RecordedRow, recordGameOnShard, recordGames } from './record-game.js';
import { Turns } from './turns.js';

/** Stores games. No other class calls the SQL functions `record_game` and `record_games`. Under load, games share statements. */
@Injectable()
export class GameStore implements OnModuleInit {
  private distributed = false;
  private readonly batches: Batches<RecordArguments, RecordedRow>;
  /** Games that wait long for a lock leave connections to the batches. */
  private readonly patient: Turns;
  private readonly lockLimit: number;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly connections: GameConnections,
    { database: settings }: Env,
  ) {
    this.lockLimit = settings.lock;
    this.patient = new Turns(gameConnections(settings) - BATCHES.concurrent, settings.lock);
    this.batches = new Batches({
      ...BATCHES,
      patience: settings.lock,
      enter: (batch) => connections.use(batch),
      work: (games) => {
        gameBatches.publish({ games: games.length });
        return recordGames(database, games, BATCHES.lock);
      },
      isOfOneItem: isOfOneGame,
    });
  }

  async onModuleInit(): Promise<void> {
    this.distributed = await isDistributed(this.database);
  }

  /** The one place that decides whether games share statements. In a distributed database, each goes to its own shard. */
  async record(game: RecordArguments): Promise<RecordedRow> {
    if (this.distributed) {
      return retryConflicts(() => this.connections.use(() => recordGameOnShard(this.database, game)));
    }
    try {
      return await this.batches.run(game);
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      return this.patient.use(() => this.recordPatiently(game));
    }
  }

  private async recordPatiently(game: RecordArguments): Promise<RecordedRow> {
    const [row] = await retryConflicts(() =>
      this.connections.use(() => recordGames(this.database, [game], this.lockLimit)),
    );
    return row!;
  }
}
