import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { playerById } from '../auth/players/find-players.js';
import { identitiesOf, playerWith } from '../auth/players/identities.js';
import { pictureOf } from '../auth/players/picture.js';
import type { ActingPlayer } from '../auth/sessions/signed-in.js';
import { LinkCodesService } from '../auth/sign-in/link-codes.service.js';
import { PlayerStats } from '../counting/tables/player-stats.entity.js';
import { Env } from '../settings/env.js';
import { toPlayerStats } from '../stats/player-stats.type.js';
import { Refusals } from '../web/answers/refusals.js';
import { LinkRefusalReason, type PendingLinkType } from './link.type.js';
import { LinkConditions } from './link-conditions.service.js';
import { LinkRefusal, noteRefusal, toLinkRefused } from './link-refusal.js';

/** Says what a link would do. Changes nothing. */
@Injectable()
export class LinkPreviews {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly codes: LinkCodesService,
    private readonly conditions: LinkConditions,
    private readonly refusals: Refusals,
    private readonly env: Env,
  ) {}

  /** @returns null when the code has expired or is of another session */
  async of(player: ActingPlayer, code: string): Promise<PendingLinkType | null> {
    const proven = await this.codes.open(code, player);
    if (!proven) return null;
    const { provider, name, email } = proven;
    const { playerId } = player;
    const { manager } = this.dataSource;
    const otherId = await playerWith(manager, proven);
    const other = otherId && otherId !== playerId ? await this.accountOf(otherId) : null;
    try {
      const identities = otherId ? await identitiesOf(manager, otherId) : [proven];
      if (otherId === playerId) throw new LinkRefusal(LinkRefusalReason.already_linked);
      await this.conditions.examine({ playerId, otherId, proven, identities });
      return { provider, name, email, other, refusal: null };
    } catch (problem) {
      if (!(problem instanceof LinkRefusal)) throw problem;
      const refusal = toLinkRefused(problem.reason);
      if (problem.reason !== LinkRefusalReason.account_not_linkable) return { provider, name, email, other, refusal };
      // The page asks nothing more, so this is the only try that the log can tell.
      noteRefusal(this.refusals, problem, player, provider);
      return { provider, name, email, other: null, refusal };
    }
  }

  private async accountOf(playerId: string): Promise<PendingLinkType['other']> {
    const { manager } = this.dataSource;
    const player = await playerById(manager, playerId);
    if (!player) return null;
    const stats = await manager.getRepository(PlayerStats).findOneBy({ playerId });
    const picture = pictureOf(player, this.env.publicOrigin);
    return { playerId, name: player.name, picture, stats: toPlayerStats(playerId, stats) };
  }
}
