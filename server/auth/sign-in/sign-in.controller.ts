import { Controller, Get, Logger, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Env } from '../../settings/env.js';
import { CALLBACK_PATH } from '../../web/page/page.js';
import { Refusals } from '../../web/answers/refusals.js';
import { contextOf, type RequestContext } from '../../web/requests/request-context.js';
import { PlayerBannedError, PlayersService } from '../players/players.service.js';
import { PROVIDERS } from '../players/provider-name.js';
import { LinkCodesService } from './link-codes.service.js';
import { ProviderGuard } from './provider.guard.js';
import type { AuthenticatedIdentity } from './provider.strategy.js';
import { SignInCodesService } from './sign-in-codes.service.js';
import { signInsEnded } from './sign-in-events.js';
import { reasonOf, SignInFailed, SignInFailedFilter } from './sign-in-failed.js';
import { SignInRateGuard } from './sign-in-rate.guard.js';
import { SignInStartGuard } from './sign-in-start.guard.js';

/** The redirect to a provider, and its callback. Each provider has its own path, so that one cannot answer for another. */
@Controller('auth')
@UseFilters(SignInFailedFilter)
export class SignInController {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly players: PlayersService,
    private readonly codes: SignInCodesService,
    private readonly links: LinkCodesService,
    private readonly env: Env,
    private readonly refusals: Refusals,
  ) {}

  @Get([...PROVIDERS])
  @UseGuards(SignInStartGuard, SignInRateGuard, ProviderGuard)
  start(): void {
    // `ProviderGuard` redirects.
  }

  @Get(PROVIDERS.map((provider) => `${provider}/callback`))
  @UseGuards(SignInRateGuard, ProviderGuard)
  async finish(
    @Req() { user, raw }: FastifyRequest & { user: AuthenticatedIdentity },
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void reply.redirect(`${this.env.publicOrigin}${await this.returnPathFor(user, contextOf(raw))}`, 302);
  }

  private async returnPathFor({ profile, signIn }: AuthenticatedIdentity, request: RequestContext): Promise<string> {
    const { id: requestId } = request;
    try {
      if (signIn.link) {
        // Nothing is linked yet: the page of that session asks the player first.
        return `${signIn.returnTo}&link=${await this.links.issue(profile, signIn.link, signIn, request)}`;
      }
      const player = await this.players.signIn(profile);
      const code = await this.codes.issue(player.id, signIn, request);
      const { id: playerId, provider } = player;
      this.logger.log({ event: 'signed_in_at_provider', requestId, provider, playerId });
      signInsEnded.publish({ provider, outcome: 'signed_in' });
      return `${CALLBACK_PATH}?code=${code}`;
    } catch (error) {
      if (error instanceof SignInFailed) throw error;
      if (error instanceof PlayerBannedError) {
        const { playerId } = error;
        this.refusals.note({ event: 'sign_in_failed', code: 'account_banned', playerId }, request);
        throw new SignInFailed('account_banned');
      }
      // The browser is navigating, so the page must show the failure.
      this.logger.error({ event: 'sign_in_failed', requestId, reason: reasonOf(error) });
      throw new SignInFailed('sign_in_failed');
    }
  }
}
