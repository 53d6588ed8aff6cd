import { Injectable, Logger } from '@nestjs/common';
import type { ProviderName } from '../auth/players/provider-name.js';
import type { ActingPlayer } from '../auth/sessions/signed-in.js';
import { LinkCodesService } from '../auth/sign-in/link-codes.service.js';
import { PlayerChanges } from '../base/player-changes.js';
import { Refusals } from '../web/answers/refusals.js';
import { AccountService } from './account.service.js';
import { IdentityLinker, LinkRefusal } from './identity-linker.service.js';
import type { IdentityLinked, LinkRefused, PendingLinkType } from './link.type.js';

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
    const refusal = await this.linker.refusalOf(player.playerId, proven);
    // The page asks nothing more, so this is the only try that the log can tell.
    if (refusal?.reason === 'account_not_linkable') this.note(refusal, player, provider);
    return { provider, name, email, refusal: refusal ? toLinkRefused(refusal) : null };
  }

  async confirm(player: ActingPlayer, code: string): Promise<IdentityLinked | LinkRefused> {
    const proven = await this.codes.open(code, player);
    const { playerId } = player;
    const { id: requestId } = player.request;
    try {
      if (!proven) throw new LinkRefusal('link_expired');
      const removedId = await this.linker.link(player, code, proven);
      if (removedId) {
        this.changes.publish({ playerId: removedId });
        this.logger.log({ event: 'account_deleted', requestId, playerId: removedId });
      }
      this.logger.log({ event: 'identity_linked', requestId, provider: proven.provider, playerId });
      return { identities: await this.account.identitiesOf(playerId) };
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

const toLinkRefused = ({ reason, message }: LinkRefusal): LinkRefused => ({ reason, message });
