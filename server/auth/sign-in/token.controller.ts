import {
  BadRequestException,
  Body,
  Controller,
  HttpCode,
  Logger,
  Post,
  Req,
  Res,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { checked } from '../../web/parse-input.js';
import { Refusals } from '../../web/refusals.js';
import { OwnPageGuard } from '../sessions/csrf.guard.js';
import { RefreshCookie } from '../sessions/refresh-cookie.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInCodesService } from './sign-in-codes.service.js';
import { SignInRateGuard } from './sign-in-rate.guard.js';
import { type TokenAnswer, TokenAnswers } from '../sessions/token-responses.js';

/** A missing or odd value goes through, as any wrong one: it must burn the code. */
const odd = z.preprocess((value) => (typeof value === 'string' ? value.slice(0, 200) : ''), z.string());
const exchangeBody = z.strictObject(
  { code: odd, code_verifier: odd },
  {
    error: (issue) =>
      issue.code === 'invalid_type' ? 'The body must be a JSON object with code and code_verifier' : undefined,
  },
);

/** The endpoints behind the page's session. They read or set the refresh cookie, so only the page may call them. */
@Controller('auth')
@UseGuards(OwnPageGuard)
export class TokenController {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly codes: SignInCodesService,
    private readonly sessions: SessionsService,
    private readonly refreshCookie: RefreshCookie,
    private readonly answers: TokenAnswers,
    private readonly refusals: Refusals,
  ) {}

  @Post('token')
  @HttpCode(200)
  @UseGuards(SignInRateGuard)
  async token(
    @Body() body: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TokenAnswer & { return_to: string }> {
    const { code, code_verifier: codeVerifier } = checked(exchangeBody, body);
    const userAgent = request.headers['user-agent'];
    const exchanged = await this.codes.exchange({ code, codeVerifier, userAgent });
    const answer = exchanged && (await this.answers.answer(exchanged.session));
    if (!answer) {
      this.refusals.note({ event: 'sign_in_failed', code: 'sign_in_expired' });
      throw new BadRequestException({ error: 'This sign-in has expired. Please try again.', code: 'sign_in_expired' });
    }
    // The session that this browser had before would live on with nobody to end it.
    const previous = this.refreshCookie.read(request);
    if (previous) await this.sessions.revoke(previous.sessionId);
    this.refreshCookie.set(response, exchanged.session);
    this.logger.log({ event: 'session_begun', playerId: exchanged.session.playerId });
    return { ...answer, return_to: exchanged.returnTo };
  }

  /** A browser without the cookie asks at every load whether somebody is signed in. That nobody is, is no error: 204. */
  @Post('refresh')
  @HttpCode(200)
  async refresh(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TokenAnswer | undefined> {
    if (!this.refreshCookie.isSent(request)) {
      response.status(204);
      return undefined;
    }
    const token = this.refreshCookie.read(request);
    const renewed = token && (await this.sessions.renew(token));
    const answer = renewed && (await this.answers.answer(renewed.session));
    if (!answer) {
      this.refreshCookie.clear(response);
      throw new UnauthorizedException({ error: 'No session found', code: 'no_session' });
    }
    this.refreshCookie.set(response, renewed.session, renewed.answer);
    return answer;
  }

  @Post('signout')
  @HttpCode(204)
  async signOut(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    const token = this.refreshCookie.read(request);
    if (token) {
      await this.sessions.revoke(token.sessionId);
      this.logger.log({ event: 'signed_out' });
    }
    this.refreshCookie.clear(response);
  }
}
