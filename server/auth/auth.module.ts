import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessTokens } from './access-tokens.js';
import { Identity } from './identity.entity.js';
import { Keys } from './keys.js';
import { Player } from './player.entity.js';
import { RefreshTokens } from './refresh-tokens.js';
import { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { SignInCode } from './sign-in-code.entity.js';
import { SignedInGuard } from './signed-in.guard.js';

/** Who you are: players, their identities at the providers, and their sessions. */
@Module({
  imports: [TypeOrmModule.forFeature([Player, Identity, Session, SignInCode])],
  providers: [Keys, AccessTokens, RefreshTokens, SessionsService, SignedInGuard],
  exports: [Keys, AccessTokens, SessionsService, SignedInGuard],
})
export class AuthModule {}
