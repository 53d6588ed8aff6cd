import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { PlayerType } from '../auth/players/player.type.js';
import { SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import type { SignedInRequest } from '../auth/sessions/signed-in.js';
import { Moderators } from './moderators.guard.js';

/** Tells the page of a moderator that it is one: auth/ does not know moderators. */
@Resolver(() => PlayerType)
export class ModeratorResolver {
  constructor(
    private readonly moderators: Moderators,
    private readonly guard: SignedInGuard,
  ) {}

  @ResolveField('isModerator', () => Boolean, {
    description:
      'Whether the player is a moderator. Only the player sees it, with an access token: it is false for others.',
  })
  async isModerator(@Parent() { id }: PlayerType, @Context() { req }: { req: SignedInRequest }): Promise<boolean> {
    return (await this.guard.isOf(req, id)) && this.moderators.include(id);
  }
}
