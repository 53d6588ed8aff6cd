import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CountingModule } from '../counting/counting.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { GamesModule } from '../games/games.module.js';
import { StatsModule } from '../stats/stats.module.js';
import { AttemptStore } from './attempt-store.js';
import { ChallengeDays } from './challenge-days.js';
import { ChallengeResolver } from './challenge.resolver.js';
import { ChallengeService } from './challenge.service.js';
import { ChallengeTableService } from './challenge-table.service.js';
import { SettlementService } from './settlement.service.js';

/** Today's challenge: five games a day with the same seeds for everybody. */
@Module({
  imports: [AuthModule, DatabaseModule, CountingModule, GamesModule, StatsModule],
  providers: [
    AttemptStore,
    ChallengeDays,
    ChallengeResolver,
    ChallengeService,
    ChallengeTableService,
    SettlementService,
  ],
  exports: [AttemptStore],
})
export class ChallengeModule {}
