import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { CountingModule } from '../counting/counting.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { GamesModule } from '../games/games.module.js';
import { AttemptStore } from './attempt-store.js';
import { ChallengeAttempt } from './challenge-attempt.entity.js';
import { ChallengeDay } from './challenge-day.entity.js';
import { ChallengeDays } from './challenge-days.js';
import { ChallengeIdentities } from './challenge-identities.js';
import { ChallengeIdentity } from './challenge-identity.entity.js';
import { ChallengePlayService } from './challenge-play.service.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import { ChallengeResolver } from './challenge.resolver.js';
import { FinishedGames } from './finished-games.js';
import { SettlementService } from './settlement.service.js';

/** Today's challenge: five games a day with the same seeds for everybody. */
@Module({
  imports: [
    AuthModule,
    CountingModule,
    DatabaseModule,
    GamesModule,
    TypeOrmModule.forFeature([ChallengeAttempt, ChallengeDay, ChallengeIdentity]),
  ],
  providers: [
    AttemptStore,
    ChallengeDays,
    ChallengeIdentities,
    ChallengePlayService,
    ChallengeRankingService,
    ChallengeResolver,
    FinishedGames,
    SettlementService,
  ],
  exports: [AttemptStore, ChallengeIdentities],
})
export class ChallengeModule {}
