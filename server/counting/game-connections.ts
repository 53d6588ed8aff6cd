import { Injectable } from '@nestjs/common';
import { connectionsAwaited, pools } from '../database/database-events.js';
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

  override use<T>(work: () => Promise<T>): Promise<T> {
    if (!connectionsAwaited.hasSubscribers) return super.use(work);
    const began = performance.now();
    const publish = (failed: boolean) =>
      connectionsAwaited.publish({ pool: POOL, ms: performance.now() - began, failed });
    let begins = false;
    const answer = super.use(() => {
      begins = true;
      publish(false);
      return work();
    });
    answer.catch(() => begins || publish(true));
    return answer;
  }
}
