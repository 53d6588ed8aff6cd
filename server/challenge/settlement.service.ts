import { Injectable, Logger } from '@nestjs/common';
import { boardsBegin, Clock, utcDay } from '../base/clock.js';
import { BackgroundConnections, BackgroundWork } from '../database/background-work.js';
import { deleteOld } from '../database/delete-old.js';
import { unavailability } from '../database/errors.js';
import { Attempt } from './attempt.entity.js';
import { ChallengeIdentities } from './challenge-identities.service.js';
import { FinishedGames } from './finished-games.service.js';

const INTERVAL = 60_000;
const PAGE = 200;

type AttemptKey = Pick<Attempt, 'playerId' | 'day'>;
const BEFORE_ALL: AttemptKey = { day: '2000-01-01', playerId: '00000000-0000-0000-0000-000000000000' };

/** Some games may be open or missing in the stats. An index has this condition. A date as text has no time zone. */
const UNSETTLED = `
  SELECT player_id AS "playerId", day::text FROM challenge_attempts
  WHERE (NOT closed OR counted < cardinality(games)) AND day < $1 AND (day, player_id) > ($2, $3)
  ORDER BY day, player_id LIMIT ${PAGE}`;

/** The stats have all its games. */
const SETTLED = 'closed AND counted = cardinality(games)';

/**
 * Settles the attempts of earlier days once a minute: an unfinished game is lost, and each game that is not in the player's stats
 * yet is counted. It also forgets the identities of days that are over, and attempts whose boards are. Every server does it. Each
 * step can be repeated, so a crash between two steps changes nothing.
 */
@Injectable()
export class SettlementService extends BackgroundWork {
  private readonly logger = new Logger('Challenge');

  constructor(
    private readonly background: BackgroundConnections,
    private readonly finishedGames: FinishedGames,
    private readonly identities: ChallengeIdentities,
    private readonly clock: Clock,
  ) {
    super('challenge_settlement', INTERVAL);
  }

  protected async run(stopping: AbortSignal): Promise<void> {
    const { manager } = this.background;
    const problems: Error[] = [];
    let settled = 0;
    try {
      let last = BEFORE_ALL;
      for (let page = PAGE; page === PAGE;) {
        const today = utcDay(this.clock.now());
        const attempts = await manager.query<AttemptKey[]>(UNSETTLED, [today, last.day, last.playerId]);
        for (const attempt of attempts) {
          if (stopping.aborted) return;
          try {
            if (await this.settle(attempt)) settled += 1;
          } catch (error) {
            if (unavailability(error) !== undefined) throw error;
            // One bad attempt must not keep those after it.
            problems.push(new Error(`The attempt of ${attempt.playerId} on ${attempt.day}: ${String(error)}`));
          }
        }
        page = attempts.length;
        last = attempts.at(-1) ?? last;
      }
    } finally {
      if (settled > 0) this.logger.log({ event: 'challenge_settled', attempts: settled });
    }
    await this.identities.removeEarlier(manager);
    if (problems[0]) throw problems[0];
    const old = { table: 'challenge_attempts', column: 'day', type: 'date', where: SETTLED } as const;
    await deleteOld(manager, { ...old, before: boardsBegin(this.clock.agreed()) }, stopping);
  }

  private async settle({ playerId, day }: AttemptKey): Promise<boolean> {
    const attempts = this.background.manager.getRepository(Attempt);
    await attempts.update({ playerId, day, closed: false }, { closed: true });
    // A server whose clock is behind may have played a move until then. A deleted player has no attempt any more.
    const closed = await attempts.findOneBy({ playerId, day });
    return closed !== null && this.finishedGames.settle(closed);
  }
}
