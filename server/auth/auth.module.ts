import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../database/database.module.js';
import { WebModule } from '../web/web.module.js';
import { AvatarController } from './players/picture.js';
import { Ban, Identity } from './players/identities.js';
import { Player } from './players/player.js';
import { PlayersService } from './players/players.service.js';
import { AccessTokens, JwksController } from './sessions/access-tokens.js';
import { LiveSessions } from './sessions/live-sessions.js';
import { PersonalTokensResolver } from './sessions/personal-tokens.resolver.js';
import { PersonalTokensService } from './sessions/personal-tokens.service.js';
import { RefreshCookie, RefreshTokens } from './sessions/refresh-tokens.js';
import { Session } from './sessions/session.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsResolver } from './sessions/sessions.resolver.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignedInGuard } from './sessions/session-guards.js';
import { SignedOutFirst } from './sessions/signed-out-first.plugin.js';
import { TokenResponses } from './sessions/token-responses.js';
import { LinkCodesService } from './sign-in/link-codes.service.js';
import { ProvidersService } from './sign-in/providers.service.js';
import { Seals, SignInCookies } from './sign-in/sign-in-cookies.js';
import { SignInCleanup } from './sign-in/sign-in-cleanup.service.js';
import { SignInCode, SignInCodesService } from './sign-in/sign-in-codes.service.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { TokenController } from './sign-in/token.controller.js';

/** Players, their sessions, and the sign-in that leads to both. */
@Module({
  imports: [DatabaseModule, WebModule, TypeOrmModule.forFeature([Player, Identity, Ban, Session, SignInCode])],
  controllers: [SignInController, TokenController, SessionsController, AvatarController, JwksController],
  providers: [
    // players/
    PlayersService,
    // sessions/
    AccessTokens,
    LiveSessions,
    PersonalTokensResolver,
    PersonalTokensService,
    RefreshCookie,
    RefreshTokens,
    SessionsResolver,
    SessionsService,
    SignedInGuard,
    SignedOutFirst,
    TokenResponses,
    // sign-in/
    LinkCodesService,
    ProvidersService,
    Seals,
    SignInCleanup,
    SignInCodesService,
    SignInCookies,
  ],
  exports: [
    // Its guard charges the allowance of a token.
    WebModule,
    AccessTokens,
    LinkCodesService,
    LiveSessions,
    PersonalTokensService,
    PlayersService,
    ProvidersService,
    RefreshCookie,
    SessionsService,
    SignedInGuard,
  ],
})
export class AuthModule {}
