import { Logger, UseGuards } from '@nestjs/common';
import { Args, GraphQLISODateTime, ID, Mutation, Resolver } from '@nestjs/graphql';
import { DataSource } from 'typeorm';
import { playerById } from '../auth/players/players.repository.js';
import { Authenticated, SignedIn } from '../auth/sessions/session.guard.js';
import type { ActingPlayer } from '../auth/sessions/session.entity.js';
import { Clock } from '../base/clock.js';
import { PlayerChanges } from '../base/events.js';
import { Refusal } from '../web/answers/refusals.js';
import { parseInput, visibleText } from '../web/input.js';
import { DECISION_REFUSALS, DecisionAnswer, type DecisionRefusalReason } from './decision.type.js';
import { type Decision, Moderation, problemOfEnd } from './moderation.js';
import { ModerationQueries } from './moderation-queries.service.js';
import { Moderators } from './moderators.guard.js';

/** A mutation with an id and a reason. */
const Decides = (what: string) =>
  Mutation(() => DecisionAnswer, {
    description: `${what} Needs an access token of a moderator, otherwise it is NOT_A_MODERATOR, and of a session that began in the last ten minutes, otherwise it is RECENT_SIGN_IN_REQUIRED, with the refresh cookie of that session.`,
  });
const Id = () => Args('id', { type: () => ID, description: 'The id of the player.' });
const PlayerId = () => Args('playerId', { type: () => ID, description: 'The player: games are stored by player.' });
const GameId = () => Args('id', { type: () => ID, description: 'The id of the game.' });
const Reason = () =>
  Args('reason', {
    description: 'Why, for the audit: 1 to 500 characters, all of them visible. The player does not see it.',
  });

const reasonText = visibleText('reason', 500);

type Answer = Promise<typeof DecisionAnswer>;

/** The decisions of a moderator. No personal token may make one. */
@Resolver()
@UseGuards(Moderators)
@Authenticated({ recent: true })
export class DecisionsResolver {
  private readonly logger = new Logger('Moderation');

  constructor(
    private readonly database: DataSource,
    private readonly moderators: Moderators,
    private readonly queries: ModerationQueries,
    private readonly changes: PlayerChanges,
    private readonly clock: Clock,
  ) {}

  @Decides("Replaces the name of a player. The provider's name does not overwrite it.")
  renamePlayer(
    @SignedIn() moderator: ActingPlayer,
    @Id() id: string,
    @Args('name', { description: 'The new name. Invisible characters are left out.' }) name: string,
    @Reason() reason: string,
  ): Answer {
    return this.make(moderator, reason, (to) => to.rename(id, name));
  }

  @Decides("Lets the next sign-in of a renamed player bring the provider's name back.")
  restorePlayerName(@SignedIn() moderator: ActingPlayer, @Id() id: string, @Reason() reason: string): Answer {
    return this.make(moderator, reason, (to) => to.restoreName(id));
  }

  @Decides('Takes a player off the boards. The player still plays, and sees no place.')
  hidePlayer(@SignedIn() moderator: ActingPlayer, @Id() id: string, @Reason() reason: string): Answer {
    return this.make(moderator, reason, (to) => to.hide(id));
  }

  @Decides('Brings a hidden player back to the boards.')
  unhidePlayer(@SignedIn() moderator: ActingPlayer, @Id() id: string, @Reason() reason: string): Answer {
    return this.make(moderator, reason, (to) => to.unhide(id));
  }

  @Decides(
    'Signs a player out everywhere, blocks the sign-in, and takes the player off the boards. Of a player who is banned already, changes the end of the ban.',
  )
  banPlayer(
    @SignedIn() moderator: ActingPlayer,
    @Id() id: string,
    @Reason() reason: string,
    @Args('until', {
      type: () => GraphQLISODateTime,
      nullable: true,
      description: 'When the ban ends by itself: in the future, and within ten years. Without it, the ban has no end.',
    })
    until?: Date | null,
  ): Answer {
    const problem = until && problemOfEnd(until, this.clock.now());
    if (problem) throw new Refusal('bad_request', `until ${problem}.`);
    return this.make(moderator, reason, (to) => to.ban(id, until));
  }

  @Decides('Lets a banned player sign in again, also one whose account is deleted.')
  unbanPlayer(@SignedIn() moderator: ActingPlayer, @Id() id: string, @Reason() reason: string): Answer {
    return this.make(moderator, reason, (to) => to.unban(id));
  }

  @Decides('Ends all sessions and personal tokens of a player.')
  signOutPlayer(@SignedIn() moderator: ActingPlayer, @Id() id: string, @Reason() reason: string): Answer {
    return this.make(moderator, reason, (to) => to.signOut(id));
  }

  @Decides('Takes a game out of all sums, and recounts the others.')
  voidGame(
    @SignedIn() moderator: ActingPlayer,
    @PlayerId() playerId: string,
    @GameId() id: string,
    @Reason() reason: string,
  ): Answer {
    return this.make(moderator, reason, (to) => to.voidGame(playerId, id));
  }

  @Decides('Brings a voided game back into all sums, and recounts the others.')
  unvoidGame(
    @SignedIn() moderator: ActingPlayer,
    @PlayerId() playerId: string,
    @GameId() id: string,
    @Reason() reason: string,
  ): Answer {
    return this.make(moderator, reason, (to) => to.unvoidGame(playerId, id));
  }

  /** The name of the moderator is in the audit. */
  private async make(
    { playerId: moderatorId, request }: ActingPlayer,
    given: string,
    decide: (moderation: Moderation) => Promise<Decision>,
  ): Answer {
    const reason = parseInput(reasonText, given);
    const moderator = await playerById(this.database.manager, moderatorId);
    // A name can change and be imitated, so the id stands behind it.
    const operator = `moderator ${moderator?.name} (${moderatorId})`;
    const moderation = new Moderation(this.database, { operator, reason }, await this.moderators.protected());
    try {
      const { playerId, changed, said } = await decide(moderation);
      const player = await this.queries.player(playerId);
      // With the score, the boards know that the player may enter them.
      if (changed) this.changes.publish({ playerId, score: player?.score });
      this.logger.log({ event: 'moderated', requestId: request.id, moderatorId, playerId, changed });
      return { changed, said, player };
    } catch (error) {
      if (!(error instanceof Refusal && error.code in DECISION_REFUSALS)) throw error;
      return { reason: error.code as DecisionRefusalReason, message: error.message };
    }
  }
}
