import { Controller, Get, HttpCode, Logger, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Env } from '../../settings/env.js';
import { CALLBACK_PATH } from '../../web/page/page.js';
import { contextOf, type RequestContext } from '../../web/requests/request-context.js';
import type { Profile } from '../players/profile.js';
import { PROVIDERS } from '../players/provider-name.js';
import { CsrfGuard, OwnBrowserGuard, RecentSignInGuard } from '../sessions/session-guards.js';
import { SignedInGuard } from '../sessions/signed-in.guard.js';
import { type ActingPlayer, SignedIn } from '../sessions/signed-in.js';
import { challengeOf, LinkCodesService } from './link-codes.service.js';
import { ProvidersService } from './providers.service.js';
import { ACCOUNT_PATH, returnPath } from './return-path.js';
import { SignInCodesService } from './sign-in-codes.service.js';
import type { PendingSignIn } from './sign-in-cookies.js';
import { reasonOf, SignInFailed, SignInFailedFilter, type SignInRequest, signInsEnded } from './sign-in-failed.js';
import { SignInRateGuard, SignInStartGuard, type StartRequest } from './sign-in-guards.js';

/** The redirect to a provider, and its callback. Each provider has its own path, so that one cannot answer for another. */
@Controller('auth')
@UseFilters(SignInFailedFilter)
export class SignInController {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly providers: ProvidersService,
    private readonly codes: SignInCodesService,
    private readonly links: LinkCodesService,
    private readonly env: Env,
  ) {}

  @Get([...PROVIDERS])
  @UseGuards(SignInStartGuard, SignInRateGuard)
  async start(@Req() request: StartRequest, @Res() reply: FastifyReply): Promise<void> {
    const { code_challenge: codeChallenge, return_to: returnTo } = request.query;
    const purpose = { codeChallenge: codeChallenge as string, returnTo: returnPath(returnTo) };
    void reply.redirect(await this.providers.begin(request, reply, purpose), 302);
  }

  /**
   * Begins the link of an identity to the signed-in player. The page fetches the provider's address, because a navigation
   * carries no access token. The cookie ties the callback to this browser and session.
   */
  @Post(PROVIDERS.map((provider) => `${provider}/link`))
  @HttpCode(200)
  @UseGuards(CsrfGuard, SignedInGuard, RecentSignInGuard, OwnBrowserGuard, SignInRateGuard)
  async startLink(
    @SignedIn() { playerId, sessionId }: ActingPlayer,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ location: string }> {
    const link = { playerId, sessionId };
    const purpose = { codeChallenge: challengeOf(link), returnTo: ACCOUNT_PATH, link };
    const location = await this.providers.begin(request, reply, purpose);
    void reply.header('Cache-Control', 'no-store');
    return { location };
  }

  @Get(PROVIDERS.map((provider) => `${provider}/callback`))
  @UseGuards(SignInRateGuard)
  async finish(@Req() request: SignInRequest, @Res() reply: FastifyReply): Promise<void> {
    const { profile, signIn } = await this.providers.finish(request, reply);
    const path = await this.returnPathFor(profile, signIn, contextOf(request.raw));
    void reply.redirect(`${this.env.publicOrigin}${path}`, 302);
  }

  private async returnPathFor(profile: Profile, signIn: PendingSignIn, request: RequestContext): Promise<string> {
    const { id: requestId } = request;
    try {
      if (signIn.link) {
        // Nothing is linked yet: the page of that session asks the player first.
        return `${signIn.returnTo}&link=${await this.links.issue(profile, signIn.link, signIn, request)}`;
      }
      const { code, playerId } = await this.codes.issue(profile, signIn, request);
      const { provider } = profile;
      this.logger.log({ event: 'signed_in_at_provider', requestId, provider, playerId });
      signInsEnded.publish({ provider, outcome: 'signed_in' });
      return `${CALLBACK_PATH}?code=${code}`;
    } catch (error) {
      if (error instanceof SignInFailed) throw error;
      // The browser is navigating, so the page must show the failure.
      this.logger.error({ event: 'sign_in_failed', requestId, reason: reasonOf(error) });
      throw new SignInFailed('sign_in_failed');
    }
  }
}
