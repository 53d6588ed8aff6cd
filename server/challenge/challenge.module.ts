import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { StatsModule } from '../stats/stats.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { Attempt } from './attempt.entity.js';
import { ChallengeDay } from './challenge-day.entity.js';
import { ChallengeDays } from './challenge-days.service.js';
import { ChallengeIdentities } from './challenge-identities.service.js';
import { ChallengePlayService } from './challenge-play.service.js';
import { MyChallengeService } from './my-challenge.service.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import { ChallengeResolver, MyRivalsResolver, PlayerRunResolver } from './challenge.resolver.js';
import { FinishedGames } from './finished-games.service.js';
import { SettlementService } from './settlement.service.js';

/** Today's challenge: five games a day with the same seeds for everybody. */
@Module({
  imports: [AuthModule, StatsModule, DatabaseModule, TypeOrmModule.forFeature([Attempt, ChallengeDay])],
  providers: [
    ChallengeDays,
    ChallengeIdentities,
    ChallengePlayService,
    MyChallengeService,
    ChallengeRankingService,
    ChallengeResolver,
    FinishedGames,
    MyRivalsResolver,
    PlayerRunResolver,
    SettlementService,
  ],
  exports: [ChallengeIdentities],
})
export class ChallengeModule {}
