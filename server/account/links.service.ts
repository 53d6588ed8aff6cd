import { Injectable, Logger } from '@nestjs/common';
import type { ActingPlayer } from '../auth/sessions/signed-in.js';
import { LinkCodesService } from '../auth/sign-in/link-codes.service.js';
import { PlayerChanges } from '../base/player-changes.js';
import { toPlayerStats } from '../stats/player-stats.type.js';
import { Refusals } from '../web/answers/refusals.js';
import { IdentitiesService } from './identities.service.js';
import { IdentityLinker } from './identity-linker.service.js';
import { type IdentityLinked, type LinkRefused, LinkRefusalReason } from './link.type.js';
import { LinkRefusal, noteRefusal, toLinkRefused } from './link-refusal.js';

/** Links the identity of a code to a player, and says what was done. */
@Injectable()
export class LinksService {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly codes: LinkCodesService,
    private readonly linker: IdentityLinker,
    private readonly identities: IdentitiesService,
    private readonly changes: PlayerChanges,
    private readonly refusals: Refusals,
  ) {}

  /** @param otherId the account that the player has agreed to add */
  async confirm(player: ActingPlayer, code: string, otherId: string | null): Promise<IdentityLinked | LinkRefused> {
    const proven = await this.codes.open(code, player);
    const { playerId } = player;
    const { id: requestId } = player.request;
    try {
      if (!proven) throw new LinkRefusal(LinkRefusalReason.link_expired);
      const { merged, stats } = await this.linker.link(player, { code, proven, otherId });
      if (merged) {
        this.changes.publish({ playerId: merged.playerId });
        const { playerId: mergedId, games } = merged;
        this.logger.log({ event: 'accounts_merged', requestId, playerId, mergedId, games });
      }
      this.logger.log({ event: 'identity_linked', requestId, provider: proven.provider, playerId });
      this.changes.publish({ playerId, score: stats?.score });
      return { identities: await this.identities.of(playerId), stats: toPlayerStats(playerId, stats) };
    } catch (problem) {
      if (!(problem instanceof LinkRefusal)) throw problem;
      noteRefusal(this.refusals, problem, player, proven?.provider);
      return toLinkRefused(problem.reason);
    }
  }
}
