import type { ServerResponse } from 'node:http';
import { UseGuards } from '@nestjs/common';
import { Context, Mutation, Query, Resolver } from '@nestjs/graphql';
import { RecentSignInGuard } from '../auth/sessions/recent-sign-in.guard.js';
import { RefreshCookie } from '../auth/sessions/refresh-cookie.js';
import { SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import { type ActingPlayer, SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { AccountExportsService } from './account-exports.service.js';
import { AccountService } from './account.service.js';

@Resolver()
@UseGuards(SignedInGuard)
export class AccountResolver {
  constructor(
    private readonly account: AccountService,
    private readonly exports: AccountExportsService,
    private readonly refreshCookie: RefreshCookie,
  ) {}

  @Query(() => String, {
    description:
      'A JSON document, indented for reading, of all that is stored about the player: profile, identities, sessions, sign-ins, stats and every game. It holds no secret. Only for an account of up to about two thousand games: a larger one is ACCOUNT_TOO_LARGE. Needs an access token.',
    deprecationReason:
      'Download the same document from GET /api/account/export, which takes accounts of any size, one download at a time.',
  })
  exportAccount(@SignedIn() { playerId }: SignedInPlayer): Promise<string> {
    return this.exports.small(playerId);
  }

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
