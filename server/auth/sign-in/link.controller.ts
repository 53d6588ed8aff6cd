import { Controller, Post, UseFilters, UseGuards } from '@nestjs/common';
import { PROVIDERS } from '../players/provider-name.js';
import { CsrfGuard } from '../sessions/csrf.guard.js';
import { OwnBrowserGuard } from '../sessions/own-browser.guard.js';
import { RecentSignInGuard } from '../sessions/recent-sign-in.guard.js';
import { SignedInGuard } from '../sessions/signed-in.guard.js';
import { ProviderGuard } from './provider.guard.js';
import { LinkNotBegunFilter } from './sign-in-failed.js';
import { SignInRateGuard } from './sign-in-rate.guard.js';

/**
 * Begins the link of an identity to the signed-in player. The answer has the provider's address, and its cookie ties the
 * callback to this browser and session. Nothing of it is in an address of ours.
 */
@Controller('auth')
@UseFilters(LinkNotBegunFilter)
@UseGuards(CsrfGuard, SignedInGuard, RecentSignInGuard, OwnBrowserGuard)
export class LinkController {
  @Post(PROVIDERS.map((provider) => `${provider}/link`))
  @UseGuards(SignInRateGuard, ProviderGuard)
  startLink(): void {
    // `ProviderGuard` answers.
  }
}
