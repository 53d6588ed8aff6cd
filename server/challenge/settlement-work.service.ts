import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../base/clock.js';
import { utcDay } from '../counting/day.js';
import { BackgroundConnections } from '../database/background-connections.js';
import { BackgroundWork, WorksInBackground } from '../database/background-work.js';
import { unavailability } from '../database/errors/unavailable.js';
import { ChallengeIdentities } from './challenge-identities.js';
import { SettlementService } from './settlement.service.js';
import { type AttemptKey, nextUnsettledBefore, PAGE } from './unsettled-attempts.js';

const INTERVAL = 60_000;
/** It is before all attempts. */
const BEFORE_ALL: AttemptKey = { day: '2000-01-01', playerId: '00000000-0000-0000-0000-000000000000' };

/** Settles the attempts of all players once a minute, and forgets the identities of days that are over. Every server does it. */
@Injectable()
export class SettlementWorkService extends WorksInBackground {
  private readonly logger = new Logger('Challenge');
  protected readonly work = new BackgroundWork('challenge_settlement', INTERVAL, (stopping) =>
    this.settleAll(stopping),
  );

  constructor(
    private readonly background: BackgroundConnections,
    private readonly identities: ChallengeIdentities,
    private readonly settlement: SettlementService,
    private readonly clock: Clock,
  ) {
    super();
  }

  private async settleAll(stopping: AbortSignal): Promise<void> {
    const { background } = this;
    const problems: Error[] = [];
    let settled = 0;
    try {
      let last = BEFORE_ALL;
      for (let page = PAGE; page === PAGE;) {
        const attempts = await nextUnsettledBefore(utcDay(this.clock.now()), last, background);
        for (const attempt of attempts) {
          if (stopping.aborted) return;
          try {
            if (await this.settlement.settle(attempt, background)) settled += 1;
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
    await this.identities.removeEarlier(background);
    if (problems[0]) throw problems[0];
  }
}
