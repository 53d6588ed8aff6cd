import { Injectable, Logger } from '@nestjs/common';
import { lockedPlayer } from '../auth/players/players.repository.js';
import { Clock } from '../base/clock.js';
import { PlayerChanges } from '../base/events.js';
import { BackgroundConnections, BackgroundWork } from '../database/background-work.js';
import { retryConflicts } from '../database/errors.js';
import { removeOldWeeks } from '../stats/player-stats.repository.js';
import { deleteAccount } from './account.service.js';

const INTERVAL = 60 * 60 * 1000;
const YEARS = 3;

/** Accounts without a sign-in, a game or a request since $1: the first hundred, or the one of $2. */
const UNUSED = `
  SELECT p.id FROM players p LEFT JOIN player_stats s ON s.player_id = p.id
  WHERE p.signed_in_at < $1 AND (s.last_game_at IS NULL OR s.last_game_at < $1) AND ($2::uuid IS NULL OR p.id = $2)
    AND NOT EXISTS (SELECT FROM sessions WHERE sessions.player_id = p.id AND last_seen_at >= $1)
  ORDER BY p.signed_in_at LIMIT 100`;

/** Deletes accounts that nobody has used for three years, and the sums of weeks whose boards are over. */
@Injectable()
export class Retention extends BackgroundWork {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly background: BackgroundConnections,
    private readonly changes: PlayerChanges,
    private readonly clock: Clock,
  ) {
    super('retention', INTERVAL);
  }

  protected async run(stopping: AbortSignal): Promise<void> {
    const now = this.clock.agreed();
    const { manager } = this.background;
    await removeOldWeeks(manager, now, stopping);
    const since = new Date(now);
    since.setUTCFullYear(now.getUTCFullYear() - YEARS);
    for (const { id } of await manager.query<{ id: string }[]>(UNUSED, [since, null])) {
      if (stopping.aborted) return;
      if (!(await this.deleteUnused(id, since))) continue;
      this.changes.publish({ playerId: id });
      this.logger.log({ event: 'account_deleted', unused: true, playerId: id });
    }
  }

  /** @returns false when the player, or another server, was faster */
  private deleteUnused(id: string, since: Date): Promise<boolean> {
    return retryConflicts(() =>
      this.background.manager.transaction(async (transaction) => {
        await lockedPlayer(transaction, id);
        const found = await transaction.query<unknown[]>(UNUSED, [since, id]);
        if (found.length > 0) await deleteAccount(transaction, id);
        return found.length > 0;
      }),
    );
  }
}
