import { BadRequestException, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ownerOf } from '../auth/players/merged-players.js';
import { playerById } from '../auth/players/stored-players.js';
import type { ActingPlayer } from '../auth/sessions/signed-in.js';
import { Clock } from '../base/clock.js';
import { PlayerChanges } from '../base/player-changes.js';
import { isUuid } from '../base/uuid.js';
import { RecountError } from '../counting/recount.js';
import { readPublicGameId } from '../games/public-id.js';
import { parseInput } from '../web/parse-input.js';
import { visibleText } from '../web/visible-text.js';
import type { DecisionRefused, DecisionType } from './decision.type.js';
import { type Decision, Moderation, ModerationError, problemOfEnd } from './moderation.js';
import { ModerationQueries } from './moderation-queries.service.js';
import { Moderators } from './moderators.service.js';

/** What each mutation has. `id` is that of a player or a game. */
interface Wanted {
  readonly id: string;
  readonly reason: string;
}

const reasonText = visibleText('reason', 500);

const ARCHIVED = 'Games of this player are archived, or about to be, so this game stays as it is. Ask the operator.';

type Answer = DecisionType | DecisionRefused;

/** Makes the decisions of moderators, with their names in the audit. */
@Injectable()
export class DecisionsService {
  private readonly logger = new Logger('Moderation');

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly moderators: Moderators,
    private readonly queries: ModerationQueries,
    private readonly changes: PlayerChanges,
    private readonly clock: Clock,
  ) {}

  async aboutPlayer(
    moderator: ActingPlayer,
    { id, reason }: Wanted,
    decide: (moderation: Moderation, playerId: string) => Promise<Decision>,
  ): Promise<Answer> {
    const why = parseInput(reasonText, reason);
    if (!isUuid(id)) return { reason: 'player_unknown', message: 'There is no such player.' };
    return this.decide(moderator, { playerId: id.toLowerCase(), reason: why }, decide);
  }

  async aboutGame(
    moderator: ActingPlayer,
    { id, reason }: Wanted,
    decide: (moderation: Moderation) => Promise<Decision>,
  ): Promise<Answer> {
    const why = parseInput(reasonText, reason);
    const key = readPublicGameId(id);
    if (!key) return { reason: 'game_unknown', message: 'There is no such game.' };
    return this.decide(moderator, { playerId: key.playerId, reason: why }, decide);
  }

  /** @param until when the ban ends by itself */
  async ban(moderator: ActingPlayer, { until, ...wanted }: Wanted & { until: Date | null }): Promise<Answer> {
    const problem = until && problemOfEnd(until, this.clock.now());
    if (problem) throw new BadRequestException(`until ${problem}`);
    return this.aboutPlayer(moderator, wanted, (to, playerId) => to.ban(playerId, until));
  }

  private async decide(
    { playerId: moderatorId, request }: ActingPlayer,
    { playerId: named, reason }: { playerId: string; reason: string },
    decide: (moderation: Moderation, playerId: string) => Promise<Decision>,
  ): Promise<Answer> {
    const { manager } = this.database;
    const playerId = await ownerOf(manager, named);
    if (await this.moderators.includes(playerId)) {
      return { reason: 'player_is_moderator', message: 'Moderators cannot decide about a moderator. An operator can.' };
    }
    const moderator = await playerById(manager, moderatorId);
    // A name can change and be imitated, so the id stands behind it.
    const operator = `moderator ${moderator?.name ?? ''} (${moderatorId})`;
    try {
      const { changed, said } = await decide(new Moderation(this.database, { operator, reason }), playerId);
      const player = await this.queries.player(playerId);
      // With the score, the boards know that the player may enter them.
      if (changed) this.changes.publish({ playerId, score: player?.score });
      this.logger.log({ event: 'moderated', requestId: request.id, moderatorId, playerId, changed });
      return { changed, said, player };
    } catch (error) {
      if (error instanceof ModerationError) return { reason: error.reason, message: error.message };
      if (error instanceof RecountError) return { reason: 'game_archived', message: ARCHIVED };
      throw error;
    }
  }
}
