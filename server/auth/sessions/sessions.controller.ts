import { Controller, HttpCode, Logger, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contextOf } from '../../web/requests/request-context.js';
import { CsrfGuard } from './session-guards.js';
import { RefreshCookie } from './refresh-tokens.js';
import { SessionsService } from './sessions.service.js';
import { type TokenResponse, TokenResponses } from './token-responses.js';
import { CodedException } from '../../web/answers/codes.js';

/** Renews and ends the session of the refresh cookie. */
@Controller('auth')
@UseGuards(CsrfGuard)
export class SessionsController {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly sessions: SessionsService,
    private readonly refreshCookie: RefreshCookie,
    private readonly tokens: TokenResponses,
  ) {}

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
    const renewed = token && (await this.sessions.renew(token, contextOf(request.raw)));
    const tokenResponse = renewed && (await this.tokens.responseFor(renewed.session));
    if (!tokenResponse) {
      this.refreshCookie.clear(reply.raw);
      throw new CodedException('no_session', 'No session found');
    }
    this.refreshCookie.set(reply.raw, renewed.session, renewed.answer);
    return tokenResponse;
  }

  @Post('signout')
  @HttpCode(204)
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const token = this.refreshCookie.read(request);
    if (token) {
      await this.sessions.revoke(token);
      this.logger.log({ event: 'signed_out', requestId: contextOf(request.raw).id });
    }
    this.refreshCookie.clear(reply.raw);
  }
}
