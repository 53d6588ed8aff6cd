import { UseGuards } from '@nestjs/common';
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import type { ProviderName } from '../auth/players/provider-name.js';
import { RecentSignInGuard } from '../auth/sessions/recent-sign-in.guard.js';
import { SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import { type ActingPlayer, SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { IdentitiesService } from './identities.service.js';
import { IdentityType, LinkAnswer, PendingLinkType, Provider } from './link.type.js';
import { LinkPreviews } from './link-previews.service.js';
import { LinksService } from './links.service.js';

const CODE = 'The code from the address to which the callback led.';

/** Lists, links and unlinks the identities of a player. */
@Resolver()
@UseGuards(SignedInGuard)
export class LinksResolver {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly previews: LinkPreviews,
    private readonly links: LinksService,
  ) {}

  @Query(() => [IdentityType], { description: 'How the player can sign in, the oldest first. Needs an access token.' })
  myIdentities(@SignedIn() { playerId }: SignedInPlayer): Promise<IdentityType[]> {
    return this.identities.of(playerId);
  }

  @Query(() => PendingLinkType, {
    nullable: true,
    description:
      'What `confirmLink` would do. Null when the code has expired or belongs to another session. Needs an access token.',
  })
  pendingLink(
    @SignedIn() player: ActingPlayer,
    @Args('code', { description: CODE }) code: string,
  ): Promise<PendingLinkType | null> {
    return this.previews.of(player, code);
  }

  @Mutation(() => LinkAnswer, {
    description:
      'Links the identity of a code to the player. If it belongs to another account, adds that account to the player in one transaction: its games count for the player, its sessions end, and its player is gone. Needs an access token of the session that began the link with POST /auth/google/link or /auth/github/link.',
  })
  confirmLink(
    @SignedIn() player: ActingPlayer,
    @Args('code', { description: CODE }) code: string,
    @Args('otherPlayerId', {
      type: () => ID,
      nullable: true,
      description: 'The player of the other account that `pendingLink` has shown; null where it has shown none.',
    })
    otherPlayerId: string | null,
  ): Promise<typeof LinkAnswer> {
    return this.links.confirm(player, code, otherPlayerId ?? null);
  }

  @Mutation(() => [IdentityType], {
    description:
      "Removes one of the player's identities, ends all other sessions, and answers with the identities that are left. The last one stays: it is LAST_IDENTITY. Signing in with the removed identity makes a new player. Needs an access token of a session that began in the last ten minutes, otherwise it is RECENT_SIGN_IN_REQUIRED.",
  })
  @UseGuards(RecentSignInGuard)
  unlinkIdentity(
    @SignedIn() player: ActingPlayer,
    @Args('provider', { type: () => Provider, description: 'The provider of the identity.' }) provider: ProviderName,
  ): Promise<IdentityType[]> {
    return this.identities.unlink(player, provider);
  }
}
