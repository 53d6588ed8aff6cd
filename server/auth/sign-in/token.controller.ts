import { Body, Controller, HttpCode, Logger, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseInput } from '../../web/parse-input.js';
import { Refusals } from '../../web/answers/refusals.js';
import { contextOf } from '../../web/requests/request-context.js';
import { CsrfGuard } from '../sessions/session-guards.js';
import { RefreshCookie } from '../sessions/refresh-tokens.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { type TokenResponse, TokenResponses } from '../sessions/token-responses.js';
import { SignInCodesService } from './sign-in-codes.service.js';
import { SignInRateGuard } from './sign-in-guards.js';
import { CodedException } from '../../web/answers/codes.js';

/** Accepts a missing or malformed value like any wrong one: the attempt must spend the code. */
const anyText = z.preprocess((value) => (typeof value === 'string' ? value.slice(0, 200) : ''), z.string());
const exchangeBody = z.strictObject({ code: anyText, code_verifier: anyText });

/** The last step of a sign-in: the page exchanges its code for a session. */
@Controller('auth')
@UseGuards(CsrfGuard)
export class TokenController {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly codes: SignInCodesService,
    private readonly sessions: SessionsService,
    private readonly refreshCookie: RefreshCookie,
    private readonly tokens: TokenResponses,
    private readonly refusals: Refusals,
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
    const context = contextOf(request.raw);
    const exchanged = await this.codes.exchange({ code, codeVerifier, userAgent, request: context });
    const tokenResponse = exchanged && (await this.tokens.responseFor(exchanged.session));
    if (!tokenResponse) {
      this.refusals.note({ event: 'sign_in_failed', code: 'sign_in_expired' }, context);
      throw new CodedException('sign_in_expired', 'This sign-in has expired. Try again.');
    }
    // The new cookie replaces the old one, so end the browser's previous session.
    const previous = this.refreshCookie.read(request);
    if (previous) await this.sessions.revoke(previous);
    this.refreshCookie.set(reply.raw, exchanged.session);
    this.logger.log({ event: 'session_begun', requestId: context.id, playerId: exchanged.session.playerId });
    return { ...tokenResponse, return_to: exchanged.returnTo };
  }
}
