import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { CountingModule } from '../counting/counting.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { GamesModule } from '../games/games.module.js';
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
    CountingModule,
    DatabaseModule,
    GamesModule,
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
