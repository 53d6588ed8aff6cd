import { Args, Field, Mutation, ObjectType, Resolver } from '@nestjs/graphql';
import { DataSource } from 'typeorm';
import { Authenticated, SignedIn } from '../auth/sessions/session.guard.js';
import type { SignedInPlayer } from '../auth/sessions/session.entity.js';
import { Clock, utcDay } from '../base/clock.js';
import { PlayerChanges } from '../base/events.js';
import { MeType } from '../stats/me.type.js';
import { answerOf, refusedType } from '../web/answers/enums.js';
import { type CodeOf, Refusal } from '../web/answers/refusals.js';
import { Moderation } from './moderation.js';
import type { moderationRefusal } from './refusals.js';

/** Why the server refuses a name: what the schema says of the reason. */
const NAME_REFUSALS = {
  name_not_visible: 'The name has no visible character.',
  name_decided: 'A moderator has set the name.',
  too_many_names: 'The player has changed the name three times on this UTC day.',
} satisfies { [code in CodeOf<typeof moderationRefusal>]?: string };

const NameRefused = refusedType('Name', 'name', NAME_REFUSALS);

@ObjectType('NameChosen', { description: 'The name holds, everywhere and at once.' })
class NameChosen {
  @Field(() => MeType, { description: 'The player with the name.' }) me!: MeType;
}

const NameAnswer = answerOf('NameAnswer', 'What the server did with a name.', NameChosen, NameRefused);

/** The name of a player's own, which stands in the audit like a decision. */
@Resolver()
export class NameResolver {
  constructor(
    private readonly database: DataSource,
    private readonly changes: PlayerChanges,
    private readonly clock: Clock,
  ) {}

  @Mutation(() => NameAnswer, {
    description:
      "Sets the player's name on the leaderboard, which a sign-in does not overwrite: at most three times on a UTC day. Needs an access token.",
  })
  @Authenticated()
  async chooseName(
    @SignedIn() { playerId }: SignedInPlayer,
    @Args('name', {
      type: () => String,
      nullable: true,
      description:
        'The name: invisible characters are left out, and what is behind 50 characters. Without it, the name of the provider.',
    })
    name: string | null = null,
  ): Promise<typeof NameAnswer> {
    const moderation = new Moderation(this.database, { operator: 'player', reason: "The player's own name." });
    try {
      await moderation.chooseName(playerId, name, new Date(utcDay(this.clock.now())));
    } catch (error) {
      if (!(error instanceof Refusal && error.code in NAME_REFUSALS)) throw error;
      return { reason: error.code as keyof typeof NAME_REFUSALS, message: error.message };
    }
    this.changes.publish({ playerId });
    return { me: { id: playerId } };
  }
}
