import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { deleteOldLeftIdentities } from '../players/left-identities.repository.js';
import { SignInTry } from './sign-in-try.entity.js';
import { Clock, DAY } from '../../base/clock.js';
import { BackgroundConnections, BackgroundWork } from '../../database/background-work.js';
import { deleteOld } from '../../database/delete-old.js';

const INTERVAL = 10 * 60 * 1000;

/** How long rows are kept after their expiry. A replayed sign-in code ends its session, which both rows must tell. */
const KEPT = { sign_in_codes: DAY, sessions: 7 * DAY };
const TRIES_KEPT = 60 * 60 * 1000;

/** Deletes expired sign-in codes, sessions and tries, and forgets identities that have left an account long ago. In a distributed database it asks every shard. */
@Injectable()
export class SignInCleanup extends BackgroundWork {
  constructor(
    private readonly background: BackgroundConnections,
    private readonly clock: Clock,
  ) {
    super('sign_in_cleanup', INTERVAL);
  }

  protected async run(stopping: AbortSignal): Promise<void> {
    const now = this.clock.agreed().getTime();
    const { manager } = this.background;
    for (const [table, kept] of Object.entries(KEPT))
      await deleteOld(manager, { table, column: 'expires_at', before: new Date(now - kept) }, stopping);
    await deleteOldLeftIdentities(manager, new Date(now));
    await manager.getRepository(SignInTry).delete({ expire: LessThan(String(now - TRIES_KEPT)) });
  }
}
