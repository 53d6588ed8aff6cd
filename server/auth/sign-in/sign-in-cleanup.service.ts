import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { deleteOldLeftIdentities } from '../players/left-identities.repository.js';
import { Session } from '../sessions/session.entity.js';
import { SignInCode } from './sign-in-codes.service.js';
import { SignInTry } from './sign-in-try.entity.js';
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
    await this.deleteExpired(SignInCode, now - CODES_KEPT, stopping);
    await this.deleteExpired(Session, now - SESSIONS_KEPT, stopping);
    const { manager } = this.background;
    await deleteOldLeftIdentities(manager, new Date(now));
    await manager.getRepository(SignInTry).delete({ expire: LessThan(String(now - TRIES_KEPT)) });
  }

  /** A day at a time, so that no statement reaches its time limit after a long pause. */
  private async deleteExpired(
    entity: typeof SignInCode | typeof Session,
    before: number,
    stopping: AbortSignal,
  ): Promise<void> {
    const rows = this.background.manager.getRepository<SignInCode | Session>(entity);
    while (!stopping.aborted) {
      const [oldest] = await rows.find({ order: { expiresAt: 'ASC' }, take: 1 });
      if (!oldest || oldest.expiresAt.getTime() >= before) return;
      const until = new Date(Math.min(oldest.expiresAt.getTime() + DAY, before));
      await rows.delete({ expiresAt: LessThan(until) });
    }
  }
}
