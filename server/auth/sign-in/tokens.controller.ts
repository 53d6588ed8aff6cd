import { Body, Controller, HttpCode, Logger, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Env } from '../../settings/env.js';
import { parseInput } from '../../web/input.js';
import type { Player } from '../players/player.entity.js';
import { type PlayerType, toPlayerType } from '../players/player.type.js';
import { PlayersService } from '../players/players.service.js';
import { ACCESS_TOKEN_SECONDS, AccessTokens } from '../sessions/access-tokens.service.js';
import { RefreshCookie } from '../sessions/refresh-cookie.service.js';
import type { Session } from '../sessions/session.entity.js';
import { CsrfGuard } from '../sessions/csrf.guard.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInCodesService } from './sign-in-codes.service.js';
import { SignInRateGuard } from './sign-in-guards.js';
import { sessionRefusal } from '../sessions/refusals.js';
import { signInRefusal } from './refusals.js';

/** The answer to a sign-in code or a refresh token, with the names of RFC 6749. */
interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  /** The player as only the player sees them. */
  readonly user: Omit<PlayerType, 'since'> & Pick<Player, 'email' | 'provider'>;
}

/** Accepts a missing or malformed value like any wrong one: the attempt must spend the code. */
const anyText = z.preprocess((value) => (typeof value === 'string' ? value.slice(0, 200) : ''), z.string());
const exchangeBody = z.strictObject({ code: anyText, code_verifier: anyText });

/** Gives access tokens of a session, for the code of a sign-in or for the refresh cookie, and ends the session of the cookie. */
@Controller('auth')
@UseGuards(CsrfGuard)
export class TokensController {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly codes: SignInCodesService,
    private readonly sessions: SessionsService,
    private readonly refreshCookie: RefreshCookie,
    private readonly accessTokens: AccessTokens,
    private readonly players: PlayersService,
    private readonly env: Env,
  ) {}

  @Post('token')
  @HttpCode(200)
  @UseGuards(SignInRateGuard)
  async token(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokenResponse & { return_to: string }> {
    const { code, code_verifier: codeVerifier } = parseInput(exchangeBody, body);
    const userAgent = request.headers['user-agent'];
    const { context } = request;
    const { session, returnTo } = await this.codes.exchange({ code, codeVerifier, userAgent, request: context });
    const tokenResponse = await this.responseFor(session);
    if (!tokenResponse) throw signInRefusal('sign_in_expired');
    // The new cookie replaces the old one, so end the browser's previous session.
    const previous = this.refreshCookie.read(request);
    if (previous) await this.sessions.revoke(previous);
    this.refreshCookie.set(reply, session);
    this.logger.log({ event: 'session_begun', requestId: context.id, playerId: session.playerId });
    return { ...tokenResponse, return_to: returnTo };
  }

  /** The page asks at every load whether a player is signed in. Without a cookie the answer is 204, not an error. */
  @Post('refresh')
  @HttpCode(200)
  async refresh(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokenResponse | undefined> {
    if (!this.refreshCookie.isSent(request)) {
      void reply.status(204);
      return undefined;
    }
    const token = this.refreshCookie.read(request);
    const renewed = token && (await this.sessions.renew(token, request.context));
    const tokenResponse = renewed && (await this.responseFor(renewed.session));
    if (tokenResponse) {
      this.refreshCookie.set(reply, renewed.session, renewed.answer);
      return tokenResponse;
    }
    // Only a token that we have signed hears of its player.
    const isDeleted = token && !(await this.players.byId(token.playerId));
    this.refreshCookie.clear(reply);
    throw sessionRefusal(isDeleted ? 'account_deleted' : 'no_session');
  }

  @Post('signout')
  @HttpCode(204)
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const token = this.refreshCookie.read(request);
    if (token) {
      await this.sessions.revoke(token);
      this.logger.log({ event: 'signed_out', requestId: request.context.id });
    }
    this.refreshCookie.clear(reply);
  }

  /** @returns undefined when the player has been deleted meanwhile */
  private async responseFor({ id: sessionId, playerId }: Session): Promise<TokenResponse | undefined> {
    const player = await this.players.byId(playerId);
    if (!player) return undefined;
    const { id, name, picture } = toPlayerType(player, this.env.publicOrigin);
    return {
      access_token: await this.accessTokens.issue({ playerId, sessionId }),
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      user: { id, name, picture, email: player.email, provider: player.provider },
    };
  }
}
