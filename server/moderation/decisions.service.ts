import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { playerById } from '../auth/players/player.js';
import type { ActingPlayer } from '../auth/sessions/session.js';
import { PlayerChanges } from '../base/player-changes.js';
import { parseInput, visibleText } from '../web/input.js';
import type { DecisionRefused, DecisionType } from './decision.type.js';
import { type Decision, Moderation, ModerationError } from './moderation.js';
import { ModerationQueries } from './moderation-queries.service.js';
import { Moderators } from './moderators.guard.js';

const reasonText = visibleText('reason', 500);
/** Makes the decisions of moderators, with their names in the audit. */
@Injectable()
export class DecisionsService {
  private readonly logger = new Logger('Moderation');

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly moderators: Moderators,
    private readonly queries: ModerationQueries,
    private readonly changes: PlayerChanges,
  ) {}

  async make(
    { playerId: moderatorId, request }: ActingPlayer,
    given: string,
    decide: (moderation: Moderation) => Promise<Decision>,
  ): Promise<DecisionType | DecisionRefused> {
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
      if (error instanceof ModerationError) return { reason: error.reason, message: error.message };
      throw error;
    }
  }
}
