import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { StatsModule } from '../stats/stats.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { Attempt } from './attempt.js';
import { ChallengeDay, ChallengeDays } from './challenge-days.js';
import { ChallengeIdentities, ChallengeIdentity } from './challenge-identities.js';
import { ChallengePlayService } from './challenge-play.service.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import { ChallengeResolver } from './challenge.resolver.js';
import { FinishedGames, SettlementService } from './finished-games.js';

/** Today's challenge: five games a day with the same seeds for everybody. */
@Module({
  imports: [
    AuthModule,
    StatsModule,
    DatabaseModule,
    TypeOrmModule.forFeature([Attempt, ChallengeDay, ChallengeIdentity]),
  ],
  providers: [
    ChallengeDays,
    ChallengeIdentities,
    ChallengePlayService,
    ChallengeRankingService,
    ChallengeResolver,
    FinishedGames,
    SettlementService,
  ],
  exports: [ChallengeIdentities],
})
export class ChallengeModule {}
