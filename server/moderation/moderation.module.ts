import { Module } from '@nestjs/common';
import { AccountModule } from '../account/account.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { GamesModule } from '../games/games.module.js';
import { BanEnds } from './ban-ends.service.js';
import { DecisionsResolver } from './decisions.resolver.js';
import { ModerationQueries } from './moderation-queries.service.js';
import { ModerationResolver, ModeratorResolver, PlayerReportResolver } from './moderation.resolver.js';
import { NameResolver } from './name.resolver.js';
import { Moderators } from './moderators.guard.js';

/** What moderators see and decide. Operators use the same decisions from the command line. */
@Module({
  imports: [AccountModule, AuthModule, GamesModule],
  providers: [
    BanEnds,
    DecisionsResolver,
    ModerationQueries,
    ModerationResolver,
    ModeratorResolver,
    Moderators,
    NameResolver,
    PlayerReportResolver,
  ],
})
export class ModerationModule {}
