import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { gamesIn } from '../../game/scoring.js';
import { addIdentity, bannedPlayerOf, identitiesOf, playerWith } from '../auth/players/identities.repository.js';
import { decidedPlayerOf, returnLeftIdentity } from '../auth/players/left-identities.repository.js';
import { playerById } from '../auth/players/players.repository.js';
import type { ProviderName } from '../auth/players/profile.js';
import {
  type ActingPlayer,
  isSessionLive,
  sessionEnded,
  type SignedInPlayer,
} from '../auth/sessions/session.entity.js';
import { ProvidersService } from '../auth/sign-in/providers.service.js';
import { SignInCodesService, type ProvenIdentity } from '../auth/sign-in/sign-in-codes.service.js';
import { Clock } from '../base/clock.js';
import { PlayerStats } from '../stats/player-stats.entity.js';
import { retryConflicts } from '../database/errors.js';
import { LINK_REFUSALS, type LinkRefusalReason, type LinkRefused, type PendingLinkType } from './link.type.js';
import { deleteAccount, isUnused, lockPlayers } from './account.service.js';
import { PlayerChanges } from '../base/events.js';
import { RefusalLog } from '../web/answers/refusal-log.js';
import { Refusal } from '../web/answers/refusals.js';
import { accountRefusal } from './refusals.js';

/**
 * Links the identity of a code to a player, in one transaction, and says what was done or would be done. Locks are taken in
 * the order of a sign-in and of `deleteAccount`: codes, identities, stats, players; two players in the order of their ids.
 */
@Injectable()
export class LinksService {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly dataSource: DataSource,
    private readonly codes: SignInCodesService,
    private readonly clock: Clock,
    private readonly changes: PlayerChanges,
    private readonly refusals: RefusalLog,
    private readonly providers: ProvidersService,
  ) {}

  /** @returns null when the code has expired or is of another session */
  async preview(player: ActingPlayer, code: string): Promise<PendingLinkType | null> {
    const proven = await this.codes.openLink(code, player);
    if (!proven) return null;
    const { provider, name, email } = proven;
    const { manager } = this.dataSource;
    const refusal = await refusalOf(manager, player.playerId, proven, await playerWith(manager, proven));
    // The page asks nothing more, so this is the only try that the log can tell.
    if (refusal?.code === 'account_not_linkable') this.note(refusal, player, provider);
    return { ...this.providers.named(provider), name, email, refusal: refusal ? toLinkRefused(refusal) : null };
  }

  /** @returns why the player cannot have the identity */
  async confirm(player: ActingPlayer, code: string): Promise<LinkRefused | undefined> {
    const proven = await this.codes.openLink(code, player);
    const { playerId } = player;
    const { id: requestId } = player.request;
    try {
      if (!proven) throw linkExpired();
      const removedId = await this.link(player, code, proven);
      if (removedId) {
        this.changes.publish({ playerId: removedId });
        this.logger.log({ event: 'account_deleted', requestId, playerId: removedId });
      }
      this.logger.log({ event: 'identity_linked', requestId, ...this.providers.named(proven.provider), playerId });
      return undefined;
    } catch (problem) {
      if (!isRefused(problem)) throw problem;
      this.note(problem, player, proven?.provider);
      return toLinkRefused(problem);
    }
  }

  /** @returns the player whom the identity had and nobody had played as, who is gone now */
  private link(player: SignedInPlayer, code: string, proven: ProvenIdentity): Promise<string | null> {
    const { playerId } = player;
    const { issuer, subject } = proven;
    return retryConflicts(() =>
      this.dataSource.transaction(async (transaction) => {
        if (!(await this.codes.spendLink(code, player, transaction))) throw linkExpired();
        const now = this.clock.now();
        const ownerId = await playerWith(transaction, proven, 'pessimistic_write');
        const locked = await lockPlayers(transaction, [...new Set([playerId, ownerId ?? playerId])]);
        if (!locked.has(playerId) || !(await isSessionLive(transaction, player, now))) throw sessionEnded();
        const refusal = await refusalOf(transaction, playerId, proven, ownerId);
        if (refusal) throw refusal;
        if (ownerId) await deleteAccount(transaction, ownerId, playerId);
        // False when a first sign-in with the identity came in between.
        if (!(await addIdentity(transaction, { issuer, subject, playerId, createdAt: now }))) {
          throw refused('identity_changed', 'This sign-in method has just changed. Start the link again.');
        }
        await returnLeftIdentity(transaction, proven, playerId);
        return ownerId;
      }),
    );
  }

  private note({ code: reason, more }: Refused, player: ActingPlayer, provider?: ProviderName): void {
    const { playerId, request } = player;
    const named = provider && this.providers.named(provider);
    this.refusals.note({ event: 'link_refused', reason, ...named, playerId, otherPlayerId: more.playerId }, request);
  }
}

const NOT_LINKABLE = 'This sign-in method cannot be linked. If you think that is wrong, ask the operator of this site.';

/** A refusal that rolls a link back. */
type Refused = Refusal & { readonly code: LinkRefusalReason };

const refused = (code: LinkRefusalReason, sentence?: string, more?: Refusal['more']) =>
  accountRefusal(code, sentence, more) as Refused;

const linkExpired = () => refused('link_expired', 'This link has expired. Start it again.');

const isRefused = (problem: unknown): problem is Refused => problem instanceof Refusal && problem.code in LINK_REFUSALS;

const toLinkRefused = ({ code, message, more: { owner } }: Refused): LinkRefused => ({
  reason: code,
  message,
  owner,
});

/** Why the player cannot have the identity. */
async function refusalOf(
  manager: EntityManager,
  playerId: string,
  proven: ProvenIdentity,
  ownerId: string | null,
): Promise<Refused | undefined> {
  if (ownerId === playerId) return refused('already_linked', 'This sign-in method is linked already.');
  const owner = ownerId ? await playerById(manager, ownerId) : null;
  // Otherwise a player could escape a ban, or get rid of a name that an operator has given.
  const isDecided = owner && (owner.bannedAt ?? owner.hiddenAt ?? owner.renamedAt);
  const blockedId = isDecided
    ? owner.id
    : ((await bannedPlayerOf(proven, manager)) ?? (!owner && (await decidedPlayerOf(manager, proven))));
  if (blockedId) return refused('account_not_linkable', NOT_LINKABLE, { playerId: blockedId });
  const own = await identitiesOf(manager, playerId);
  if (own.some(({ issuer }) => issuer === proven.issuer))
    return refused('provider_linked', 'Another account of this provider is linked already. Unlink it first.');
  if (!owner || (await isUnused(manager, owner.id))) return undefined;
  const stats = await manager.getRepository(PlayerStats).findOneBy({ playerId: owner.id });
  const games = stats ? gamesIn(stats) : 0;
  const more = { owner: { name: owner.name, games, isOnlyOne: await isUnused(manager, playerId) } };
  return refused('has_own_player', 'This sign-in method has its own player here.', more);
}
