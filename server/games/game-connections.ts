import { Injectable } from '@nestjs/common';
import { gameConnections } from '../database/limits.js';
import { Env } from '../env.js';
import { Turns } from './turns.js';

/**
 * Limits the connections for the table `games`. When that table is locked, the requests that wait for it can block only
 * these connections; the rest of the pool stays free for other requests.
 */
@Injectable()
export class GameConnections extends Turns {
  constructor({ database }: Env) {
    super(gameConnections(database), database.lock);
  }
}
