import { Injectable } from '@nestjs/common';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import { dareCode, readDare } from '../../game/dare.js';
import { Clock, utcDay } from '../base/clock.js';
import type { Preview } from '../web/page/page.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';

@Injectable()
export class DarePreviews {
  constructor(
    private readonly ranking: ChallengeRankingService,
    private readonly clock: Clock,
  ) {}

  /** @returns null for a link of another day, and to a player whose result today is not public */
  async of(link: string): Promise<Preview | null> {
    const dare = readDare(link);
    if (dare?.day !== utcDay(this.clock.now())) return null;
    const result = await this.ranking.todaysOf(dare.playerId);
    if (!result) return null;
    return {
      title: `${result.name} dares you: ${result.wins} of ${CHALLENGE_GAMES}`,
      description: "Today's five games of Tic-Tac-Toe are the same for everybody. Can you beat that?",
      url: `/d/${dareCode(dare)}`,
    };
  }
}
