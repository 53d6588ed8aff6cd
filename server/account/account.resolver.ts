import { Args, Context, Mutation, Query, Resolver } from '@nestjs/graphql';
import type { FastifyReply } from 'fastify';
import type { PublicProvider } from '../auth/players/profile.js';
import { RefreshCookie } from '../auth/sessions/refresh-cookie.service.js';
import { Authenticated, NEEDS_RECENT_SIGN_IN, SignedIn } from '../auth/sessions/session.guard.js';
import type { ActingPlayer, SignedInPlayer } from '../auth/sessions/session.entity.js';
import { AccountService } from './account.service.js';
import { IdentityType, LinkAnswer, PendingLinkType, Provider } from './link.type.js';
import { LinksService } from './links.service.js';
import { listOf } from '../limits/field.js';

const CODE = 'The code from the address to which the callback led.';

@Resolver()
export class AccountResolver {
  constructor(
    private readonly account: AccountService,
    private readonly links: LinksService,
    private readonly refreshCookie: RefreshCookie,
  ) {}

  @Query(() => [IdentityType], {
    description: 'How the player can sign in, the oldest first. Needs an access token.',
    complexity: listOf(2),
  })
  @Authenticated()
  myIdentities(@SignedIn() { playerId }: SignedInPlayer): Promise<IdentityType[]> {
    return this.account.identitiesOf(playerId);
  }

  @Query(() => PendingLinkType, {
    nullable: true,
    description:
      'What `confirmLink` would do. Null when the code has expired or belongs to another session. Needs an access token.',
  })
  @Authenticated()
  pendingLink(
    @SignedIn() player: ActingPlayer,
    @Args('code', { description: CODE }) code: string,
  ): Promise<PendingLinkType | null> {
    return this.links.preview(player, code);
  }

  @Mutation(() => LinkAnswer, {
    description:
      'Links the identity of a code to the player. An identity whose player has no game, voided game or attempt at a challenge leaves that player, who is gone then. Needs an access token of the session that began the link with POST /auth/google/link, /auth/github/link or /auth/oidc/link.',
  })
  @Authenticated()
  async confirmLink(
    @SignedIn() player: ActingPlayer,
    @Args('code', { description: CODE }) code: string,
  ): Promise<typeof LinkAnswer> {
    const refused = await this.links.confirm(player, code);
    return refused ?? { identities: await this.account.identitiesOf(player.playerId) };
  }

  @Mutation(() => [IdentityType], {
    description: `Removes one of the player's identities, ends all other sessions, and answers with the identities that are left. The last one stays: it is LAST_IDENTITY. Signing in with the removed identity makes a new player. ${NEEDS_RECENT_SIGN_IN}`,
    complexity: listOf(2),
  })
  @Authenticated({ recent: true })
  unlinkIdentity(
    @SignedIn() player: ActingPlayer,
    @Args('provider', { type: () => Provider, description: 'The provider of the identity.' }) provider: PublicProvider,
  ): Promise<IdentityType[]> {
    return this.account.unlink(player, provider);
  }

  @Mutation(() => Boolean, {
    description: `Removes the player with everything that is stored about them, at once and for good, and clears the refresh cookie. For 30 days, or while a decision of an operator about the player stands, a hash of each identity stays. Signing in again makes a new player. True when done. ${NEEDS_RECENT_SIGN_IN}`,
  })
  @Authenticated({ recent: true })
  async deleteAccount(
    @SignedIn() player: ActingPlayer,
    @Context() { reply }: { reply: FastifyReply },
  ): Promise<boolean> {
    await this.account.delete(player);
    this.refreshCookie.clear(reply);
    return true;
  }
}
