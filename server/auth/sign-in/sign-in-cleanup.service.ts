import { Injectable } from '@nestjs/common';
import { forgetLeft } from '../players/left-identities.js';
import { Clock } from '../../base/clock.js';
import { BackgroundConnections, BackgroundWork, WorksInBackground } from '../../database/background-work.js';

const INTERVAL = 10 * 60 * 1000;
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** How long rows are kept after their expiry. A replayed sign-in code ends its session, which both rows must tell. */
const CODES_KEPT = DAY;
const SESSIONS_KEPT = 7 * DAY;
const TRIES_KEPT = HOUR;

/** Deletes expired sign-in codes, sessions and tries, and forgets identities that have left an account long ago. In a distributed database it asks every shard. */
@Injectable()
export class SignInCleanup extends WorksInBackground {
  protected readonly work = new BackgroundWork('sign_in_cleanup', INTERVAL, (stopping) => this.clean(stopping));

  constructor(
    private readonly background: BackgroundConnections,
    private readonly clock: Clock,
  ) {
    super();
  }

  private async clean(stopping: AbortSignal): Promise<void> {
    const now = this.clock.now().getTime();
    await this.deleteExpired('sign_in_codes', now - CODES_KEPT, stopping);
    await this.deleteExpired('sessions', now - SESSIONS_KEPT, stopping);
    await forgetLeft(this.background, new Date(now));
    await this.background.query('DELETE FROM sign_in_tries WHERE expire < $1', [now - TRIES_KEPT]);
  }

  /** A day at a time, so that no statement reaches its time limit after a long pause. */
  private async deleteExpired(
    table: 'sign_in_codes' | 'sessions',
    before: number,
    stopping: AbortSignal,
  ): Promise<void> {
    while (!stopping.aborted) {
      const [{ oldest }] = await this.background.query<[{ oldest: Date | null }]>(
        `SELECT min(expires_at) AS oldest FROM ${table}`,
      );
      if (!oldest || oldest.getTime() >= before) return;
      const until = new Date(Math.min(oldest.getTime() + DAY, before));
      await this.background.query(`DELETE FROM ${table} WHERE expires_at < $1`, [until]);
    }
  }
}
