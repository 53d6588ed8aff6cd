import { Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { MeType } from '../games/player-stats.type.js';
import { Moderators } from './moderators.guard.js';

/** Tells the page of a moderator that it is one: games/ does not know moderators. */
@Resolver(() => MeType)
export class ModeratorResolver {
  constructor(private readonly moderators: Moderators) {}

  @ResolveField('isModerator', () => Boolean, {
    description: 'Whether the player is a moderator. It is false for a personal token.',
  })
  async isModerator(@Parent() { id, scopes }: MeType): Promise<boolean> {
    return !scopes && this.moderators.include(id);
  }
}
