import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { BATCHES, GAME_CONNECTIONS } from '../database/limits.js';
import { Batches } from './batches.js';
import { GameConnections } from './game-connections.js';
import {
  isLockConflict,
  isOfOneGame,
  recordAlone,
  type RecordArguments,
  recordTogether,
  type RecordedRow,
} from './record-game.js';
import { Turns } from './turns.js';

/** Stores games. It is the only caller of the SQL function `record_game`. Under load, games share statements. */
@Injectable()
export class GameStore {
  private readonly batches: Batches<RecordArguments, RecordedRow>;
  /** Games that wait long for a lock leave connections to the batches. */
  private readonly patient = new Turns(GAME_CONNECTIONS - BATCHES.concurrent);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly connections: GameConnections,
  ) {
    this.batches = new Batches({
      ...BATCHES,
      enter: (batch) => connections.use(batch),
      work: (games) => recordTogether(database, games, BATCHES.lock),
      isOfOneItem: isOfOneGame,
    });
  }

  async record(game: RecordArguments): Promise<RecordedRow> {
    try {
      return await this.batches.run(game);
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      return this.patient.use(() => this.alone(game));
    }
  }

  private alone(game: RecordArguments): Promise<RecordedRow> {
    return this.connections.use(() => recordAlone(this.database, game));
  }
}
