import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../database/database.module.js';
import { WebModule } from '../web/web.module.js';
import { AvatarController } from './players/avatar.controller.js';
import { Player } from './players/player.entity.js';
import { PlayersService } from './players/players.service.js';
import { AccessTokens } from './sessions/access-tokens.service.js';
import { JwksController } from './sessions/jwks.controller.js';
import { RequestSessions } from './sessions/request-sessions.service.js';
import { SessionGuard } from './sessions/session.guard.js';
import { PersonalTokensResolver } from './sessions/personal-tokens.resolver.js';
import { PersonalTokensService } from './sessions/personal-tokens.service.js';
import { RefreshCookie } from './sessions/refresh-cookie.service.js';
import { Session } from './sessions/session.entity.js';
import { SessionsResolver } from './sessions/sessions.resolver.js';
import { SessionsService } from './sessions/sessions.service.js';
import { ProvidersService } from './sign-in/providers.service.js';
import { Seals, SignInCookies } from './sign-in/sign-in-cookies.js';
import { SignInCleanup } from './sign-in/sign-in-cleanup.service.js';
import { SignInCodesService } from './sign-in/sign-in-codes.service.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { TokensController } from './sign-in/tokens.controller.js';

/** Players, their sessions, and the sign-in that leads to both. */
@Module({
  imports: [DatabaseModule, WebModule, TypeOrmModule.forFeature([Player, Session])],
  controllers: [SignInController, TokensController, AvatarController, JwksController],
  providers: [
    // players/
    PlayersService,
    // sessions/
    AccessTokens,
    PersonalTokensResolver,
    PersonalTokensService,
    RefreshCookie,
    RequestSessions,
    SessionsResolver,
    SessionsService,
    SessionGuard,
    // sign-in/
    ProvidersService,
    Seals,
    SignInCleanup,
    SignInCodesService,
    SignInCookies,
  ],
  exports: [
    WebModule,
    AccessTokens,
    SignInCodesService,
    PersonalTokensService,
    PlayersService,
    ProvidersService,
    RefreshCookie,
    RequestSessions,
    SessionsService,
    SessionGuard,
  ],
})
export class AuthModule {}
