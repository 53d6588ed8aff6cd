import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ChallengeModule } from '../challenge/challenge.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { StatsModule } from '../stats/stats.module.js';
import { GamesModule } from '../games/games.module.js';
import { AccountExportController } from './account-export.controller.js';
import { AccountExportsService } from './account-exports.service.js';
import { AccountResolver } from './account.resolver.js';
import { AccountService } from './account.service.js';
import { LinksService } from './links.service.js';
import { Retention } from './retention.service.js';

/** The export, the deletion and the links of an account. Stands on top of all features that store something about a player. */
@Module({
  imports: [DatabaseModule, StatsModule, AuthModule, ChallengeModule, GamesModule],
  controllers: [AccountExportController],
  providers: [AccountExportsService, AccountResolver, AccountService, LinksService, Retention],
  exports: [AccountService],
})
export class AccountModule {}
