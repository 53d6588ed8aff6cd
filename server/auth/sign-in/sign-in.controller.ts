import { Controller, Get, Logger, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Env } from '../../settings/env.js';
import { Refusal } from '../../web/answers/refusals.js';
import { CALLBACK_PATH } from '../../web/page/page.js';
import type { RequestContext } from '../../web/requests/request.js';
import { PROVIDERS } from '../players/profile.js';
import { CsrfGuard } from '../sessions/csrf.guard.js';
import { Authenticated } from '../sessions/session.guard.js';
import { ProvidersService } from './providers.service.js';
import { ProviderGuard, ProviderSetUpGuard, SignInRateGuard, SignInStartGuard } from './sign-in-guards.js';
import type { AuthenticatedIdentity } from './provider.strategy.js';
import { SignInCodesService } from './sign-in-codes.service.js';
import { reasonOf, signInFailed, signInsEnded } from './sign-in-failed.js';

/** The redirect to a provider, and its callback. Each provider has its own path, so that one cannot answer for another. */
@Controller('auth')
@UseGuards(ProviderSetUpGuard)
export class SignInController {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly codes: SignInCodesService,
    private readonly env: Env,
    private readonly providers: ProvidersService,
  ) {}

  @Get([...PROVIDERS])
  @UseGuards(SignInStartGuard, SignInRateGuard, ProviderGuard)
  start(): void {
    // `ProviderGuard` redirects.
  }

  /**
   * Begins the link of an identity to the signed-in player. The answer has the provider's address, and its cookie ties the
   * callback to this browser and session. Nothing of it is in an address of ours.
   */
  @Post(PROVIDERS.map((provider) => `${provider}/link`))
  @UseGuards(CsrfGuard, SignInRateGuard, ProviderGuard)
  @Authenticated({ recent: true })
  startLink(): void {
    // `ProviderGuard` answers.
  }

  @Get(PROVIDERS.map((provider) => `${provider}/callback`))
  @UseGuards(SignInRateGuard, ProviderGuard)
  async finish(
    @Req() { user, context }: FastifyRequest & { user: AuthenticatedIdentity },
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void reply.redirect(`${this.env.publicOrigin}${await this.returnPathFor(user, context)}`, 302);
  }

  private async returnPathFor({ profile, signIn }: AuthenticatedIdentity, request: RequestContext): Promise<string> {
    const { id: requestId } = request;
    try {
      if (signIn.link) {
        // Nothing is linked yet: the page of that session asks the player first.
        return `${signIn.returnTo}&link=${await this.codes.issueLink(profile, signIn.link, signIn, request)}`;
      }
      const { code, playerId } = await this.codes.issue(profile, signIn, request);
      const { provider } = profile;
      this.logger.log({ event: 'signed_in_at_provider', requestId, ...this.providers.named(provider), playerId });
      signInsEnded.publish({ provider, outcome: 'signed_in' });
      return `${CALLBACK_PATH}?code=${code}`;
    } catch (error) {
      if (error instanceof Refusal && error.more.toPage) throw error;
      // The browser is navigating, so the page must show the failure.
      this.logger.error({ event: 'sign_in_failed', requestId, reason: reasonOf(error) });
      throw signInFailed('sign_in_failed');
    }
  }
}
