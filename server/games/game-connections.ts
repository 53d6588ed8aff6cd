import { Injectable } from '@nestjs/common';
import { GAME_CONNECTIONS } from '../database/limits.js';
import { Turns } from './turns.js';

/**
 * Limits the connections for the table `games`. When that table is locked, the requests that wait for it can block only
 * these connections; the rest of the pool stays free for other requests.
 */
@Injectable()
export class GameConnections extends Turns {
  constructor() {
    super(GAME_CONNECTIONS);
  }
}
