import { Injectable } from '@nestjs/common';
import { connectionsMissed, pools } from '../database/database-events.js';
import { gameConnections } from '../database/pool/limits.js';
import { Env } from '../settings/env.js';
import { Semaphore } from './semaphore.js';

/** The name in the metrics. */
const POOL = 'games';

/**
 * Limits the connections for the table `games`. When that table is locked, the requests that wait for it can block only
 * these connections; the rest of the pool stays free for other requests.
 */
@Injectable()
export class GameConnections extends Semaphore {
  constructor({ database }: Env) {
    const max = gameConnections(database);
    super(max, database.lock);
    pools.offer(POOL, () => ({ max, open: max, idle: this.state.free, waiting: this.state.waiting }));
  }

  protected override gaveUp(): void {
    connectionsMissed.publish({ pool: POOL });
  }
}
