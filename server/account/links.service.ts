import { Injectable, Logger } from '@nestjs/common';
import type { ProviderName } from '../auth/players/provider-name.js';
import type { ActingPlayer } from '../auth/sessions/signed-in.js';
import { LinkCodesService } from '../auth/sign-in/link-codes.service.js';
import { PlayerChanges } from '../base/player-changes.js';
import { toPlayerStats } from '../stats/player-stats.type.js';
import { Refusals } from '../web/answers/refusals.js';
import { AccountService } from './account.service.js';
import { IdentityLinker } from './identity-linker.service.js';
import { type IdentityLinked, LINK_REFUSALS, type LinkRefused, type PendingLinkType } from './link.type.js';
import { LinkRefusal } from './link-conditions.js';

/** Links the identity of a code to a player, and says what was done or would be done. */
@Injectable()
export class LinksService {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly codes: LinkCodesService,
    private readonly linker: IdentityLinker,
    private readonly account: AccountService,
    private readonly changes: PlayerChanges,
    private readonly refusals: Refusals,
  ) {}

  /** @returns null when the code has expired or is of another session */
  async preview(player: ActingPlayer, code: string): Promise<PendingLinkType | null> {
    const proven = await this.codes.open(code, player);
    if (!proven) return null;
    const { provider, name, email } = proven;
    const { other, refusal } = await this.linker.preview(player.playerId, proven);
    const pending = { provider, name, email, other, refusal: refusal ? toLinkRefused(refusal) : null };
    if (refusal?.reason !== 'account_not_linkable') return pending;
    // The page asks nothing more, so this is the only try that the log can tell.
    this.note(refusal, player, provider);
    return { ...pending, other: null };
  }

  /** @param otherId the account that the player has agreed to add */
  async confirm(player: ActingPlayer, code: string, otherId: string | null): Promise<IdentityLinked | LinkRefused> {
    const proven = await this.codes.open(code, player);
    const { playerId } = player;
    const { id: requestId } = player.request;
    try {
      if (!proven) throw new LinkRefusal('link_expired');
      const { merged, stats } = await this.linker.link(player, code, proven, otherId);
      if (merged) {
        this.changes.publish({ playerId: merged.playerId });
        const { playerId: mergedId, games } = merged;
        this.logger.log({ event: 'accounts_merged', requestId, playerId, mergedId, games });
      }
      this.logger.log({ event: 'identity_linked', requestId, provider: proven.provider, playerId });
      this.changes.publish({ playerId, score: stats?.score });
      return { identities: await this.account.identitiesOf(playerId), stats: toPlayerStats(playerId, stats) };
    } catch (problem) {
      if (!(problem instanceof LinkRefusal)) throw problem;
      this.note(problem, player, proven?.provider);
      return toLinkRefused(problem);
    }
  }

  private note({ reason, otherPlayerId }: LinkRefusal, player: ActingPlayer, provider?: ProviderName): void {
    const { playerId, request } = player;
    this.refusals.note({ event: 'link_refused', reason, provider, playerId, otherPlayerId }, request);
  }
}

function toLinkRefused({ reason }: LinkRefusal): LinkRefused {
  return { reason, message: LINK_REFUSALS[reason] };
}
