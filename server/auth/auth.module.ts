import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { NextFunction, Request, Response } from 'express';
import { WebModule } from '../web/web.module.js';
import { AccessTokens } from './sessions/access-tokens.js';
import { AccountExportController } from '../account/account-export.controller.js';
import { AccountExportsService } from '../account/account-exports.service.js';
import { AccountResolver } from '../account/account.resolver.js';
import { AccountSections } from '../account/account-sections.js';
import { AccountService } from '../account/account.service.js';
import { SessionsResolver } from './sessions/sessions.resolver.js';
import { AvatarController } from './players/avatar.controller.js';
import { Cookies } from '../web/cookies.js';
import { Identity } from './players/identity.entity.js';
import { JwksController } from './sessions/jwks.controller.js';
import { Player } from './players/player.entity.js';
import { PlayerResolver } from './sessions/me.resolver.js';
import { PlayersService } from './players/players.service.js';
import { LoginCookies } from './sign-in/sign-in-cookies.js';
import { strategies } from './sign-in/strategies.js';
import { RecentSignInGuard } from './sessions/recent-sign-in.guard.js';
import { RefreshCookie } from './sessions/refresh-cookie.js';
import { RefreshTokens } from './sessions/refresh-tokens.js';
import { Session } from './sessions/session.entity.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInCode } from './sign-in/sign-in-code.entity.js';
import { SignInCodesService } from './sign-in/sign-in-codes.service.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignedInGuard } from './sessions/signed-in.guard.js';
import { SignedOutFirst } from './sessions/signed-out-first.plugin.js';
import { TokenAnswers } from './sessions/token-responses.js';
import { TokenController } from './sign-in/token.controller.js';

/** Who you are: players, their identities at the providers, and their sessions. */
@Module({
  imports: [WebModule, TypeOrmModule.forFeature([Player, Identity, Session, SignInCode])],
  controllers: [SignInController, TokenController, AvatarController, JwksController, AccountExportController],
  providers: [
    AccessTokens,
    AccountExportsService,
    AccountResolver,
    AccountSections,
    AccountService,
    Cookies,
    LoginCookies,
    PlayerResolver,
    PlayersService,
    RecentSignInGuard,
    RefreshCookie,
    RefreshTokens,
    SessionsResolver,
    SessionsService,
    SignedInGuard,
    SignedOutFirst,
    SignInCodesService,
    strategies,
    TokenAnswers,
  ],
  exports: [AccessTokens, AccountSections, SessionsService, SignedInGuard],
})
export class AuthModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    // Codes, tokens and cookies: no cache may keep an answer.
    consumer
      .apply((_request: Request, response: Response, next: NextFunction) => {
        response.setHeader('Cache-Control', 'no-store');
        next();
      })
      .forRoutes('auth/*path');
  }
}
