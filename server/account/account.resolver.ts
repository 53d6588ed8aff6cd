import type { ServerResponse } from 'node:http';
import { UseGuards } from '@nestjs/common';
import { Context, Mutation, Resolver } from '@nestjs/graphql';
import { RecentSignInGuard } from '../auth/sessions/recent-sign-in.guard.js';
import { RefreshCookie } from '../auth/sessions/refresh-cookie.js';
import { SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import { type ActingPlayer, SignedIn } from '../auth/sessions/signed-in.js';
import { AccountService } from './account.service.js';

@Resolver()
@UseGuards(SignedInGuard)
export class AccountResolver {
  constructor(
    private readonly account: AccountService,
    private readonly refreshCookie: RefreshCookie,
  ) {}

  @Mutation(() => Boolean, {
    description:
      'Removes the player with everything that is stored about them, at once and for good, and clears the refresh cookie. Signing in again makes a new player. True when done. Needs an access token of a session that began in the last ten minutes, otherwise it is RECENT_SIGN_IN_REQUIRED.',
  })
  @UseGuards(RecentSignInGuard)
  async deleteAccount(@SignedIn() player: ActingPlayer, @Context() { res }: { res: ServerResponse }): Promise<boolean> {
    await this.account.delete(player);
    this.refreshCookie.clear(res);
    return true;
  }
}
