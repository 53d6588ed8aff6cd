import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { endedBans } from '../auth/players/identities.repository.js';
import { Clock } from '../base/clock.js';
import { PlayerChanges } from '../base/events.js';
import { BackgroundWork } from '../database/background-work.js';
import { Moderation } from './moderation.js';

const INTERVAL = 60_000;
const BY_SERVER = { operator: 'server', reason: 'the ban has ended' };

/** Ends the bans whose end has come, once a minute. Every server does it; one of them makes the change. */
@Injectable()
export class BanEnds extends BackgroundWork {
  constructor(
    private readonly database: DataSource,
    private readonly changes: PlayerChanges,
    private readonly clock: Clock,
  ) {
    super('ban_ends', INTERVAL);
  }

  protected async run(stopping: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const moderation = new Moderation(this.database, BY_SERVER);
    const failures: unknown[] = [];
    for (const playerId of await endedBans(this.database.manager, now)) {
      if (stopping.aborted) return;
      try {
        if ((await moderation.unban(playerId, now)).changed) this.changes.publish({ playerId });
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
