import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import type { FastifyReply } from 'fastify';
import { RefreshCookie } from './refresh-cookie.service.js';
import { Authenticated, NEEDS_RECENT_SIGN_IN, SignedIn } from './session.guard.js';
import { SessionsService } from './sessions.service.js';
import type { ActingPlayer, SignedInPlayer } from './session.entity.js';
import { SessionType, toSessionType } from './session.type.js';
import { Refusal } from '../../web/answers/refusals.js';
import { listOf } from '../../limits/field.js';

@Resolver(() => SessionType)
export class SessionsResolver {
  constructor(
    private readonly sessions: SessionsService,
    private readonly refreshCookie: RefreshCookie,
  ) {}

  @Query(() => [SessionType], {
    description:
      'Where the player is signed in, the last used first. A player has 100 sessions at most: the oldest ends when another begins. Needs an access token.',
    complexity: listOf(100),
  })
  @Authenticated()
  async mySessions(@SignedIn() { playerId, sessionId }: SignedInPlayer): Promise<SessionType[]> {
    const live = await this.sessions.liveOf(playerId);
    return live.map((session) => toSessionType(session, sessionId));
  }

  @Mutation(() => [SessionType], {
    description:
      "Ends one of the player's sessions at once, and answers with those that are left. An id that is not the player's own is NOT_FOUND. Needs an access token.",
    complexity: listOf(100),
  })
  @Authenticated()
  async endSession(
    @SignedIn() player: ActingPlayer,
    @Args('id', { type: () => ID, description: 'The `id` of the session.' }) id: string,
    @Context() { reply }: { reply: FastifyReply },
  ): Promise<SessionType[]> {
    if (!(await this.sessions.end(player, id))) {
      throw new Refusal('not_found', 'You have no such session. It may have ended long ago.');
    }
    if (id.toLowerCase() === player.sessionId) this.refreshCookie.clear(reply);
    return this.mySessions(player);
  }

  @Mutation(() => [SessionType], {
    description:
      "Ends all of the player's sessions but the one that asks, at once, and answers with what is left. Needs an access token.",
    complexity: listOf(100),
  })
  @Authenticated()
  async endOtherSessions(@SignedIn() player: ActingPlayer): Promise<SessionType[]> {
    await this.sessions.endOthers(player);
    return this.mySessions(player);
  }

  @Mutation(() => Boolean, {
    description: `Ends all of the player's sessions at once, the one that asks included, and clears its refresh cookie. True when done. ${NEEDS_RECENT_SIGN_IN}`,
  })
  @Authenticated({ recent: true })
  async signOutEverywhere(
    @SignedIn() player: ActingPlayer,
    @Context() { reply }: { reply: FastifyReply },
  ): Promise<boolean> {
    await this.sessions.endAll(player);
    this.refreshCookie.clear(reply);
    return true;
  }
}
