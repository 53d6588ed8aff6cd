import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { addIdentities, lockIdentity, takeIdentities } from '../auth/players/identities.js';
import { isSessionLive } from '../auth/sessions/sessions-of-player.js';
import { sessionEnded, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { LinkCodesService, type ProvenIdentity } from '../auth/sign-in/link-codes.service.js';
import { Clock } from '../base/clock.js';
import { GameConnections } from '../counting/game-connections.js';
import { PlayerStats } from '../counting/tables/player-stats.entity.js';
import { retryConflicts } from '../database/errors/retry-conflicts.js';
import { LinkRefusalReason } from './link.type.js';
import { LinkConditions } from './link-conditions.service.js';
import { LinkRefusal } from './link-refusal.js';
import { lockPlayers } from './lock-players.js';
import { mergeAccounts } from './merge-accounts.js';

/** What the player has agreed to. */
export interface AgreedLink {
  readonly code: string;
  readonly proven: ProvenIdentity;
  /** The player of the account that becomes part of this one. */
  readonly otherId: string | null;
}

export interface Linked {
  /** The account that became part of this one. Absent where the identity had none. */
  readonly merged?: { readonly playerId: string; readonly games: number };
  readonly stats: PlayerStats | null;
}

/**
 * Adds identities to a player, in one transaction. Locks are taken in the order of a sign-in and of `deleteAccount`: codes,
 * identities, stats, players; two players in the order of their ids.
 */
@Injectable()
export class IdentityLinker {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly codes: LinkCodesService,
    private readonly conditions: LinkConditions,
    private readonly connections: GameConnections,
    private readonly clock: Clock,
  ) {}

  /** @throws {LinkRefusal} */
  async link(player: SignedInPlayer, link: AgreedLink): Promise<Linked> {
    const merged = await retryConflicts(() =>
      this.connections.use(() =>
        this.dataSource.transaction(async (transaction) => {
          if (!(await this.codes.spend(link.code, player, transaction))) {
            throw new LinkRefusal(LinkRefusalReason.link_expired);
          }
          return this.add(player, link, transaction);
        }),
      ),
    );
    const stats = await this.dataSource.getRepository(PlayerStats).findOneBy({ playerId: player.playerId });
    return { merged, stats };
  }

  private async add(
    player: SignedInPlayer,
    { proven, otherId }: AgreedLink,
    transaction: EntityManager,
  ): Promise<Linked['merged']> {
    const { playerId } = player;
    const { issuer, subject } = proven;
    const now = this.clock.now();
    const ownerId = await lockIdentity(transaction, proven);
    if (ownerId === playerId) throw new LinkRefusal(LinkRefusalReason.already_linked);
    if (ownerId !== otherId) throw new LinkRefusal(LinkRefusalReason.account_changed);

    const moved = ownerId ? await takeIdentities(transaction, ownerId) : [{ issuer, subject, createdAt: now }];
    const locked = await lockPlayers(transaction, ownerId ? [playerId, ownerId] : [playerId]);
    if (!locked.has(playerId) || !(await isSessionLive(transaction, player, now))) throw sessionEnded();
    if (ownerId) {
      if (!locked.has(ownerId)) throw new LinkRefusal(LinkRefusalReason.account_changed);
      // The other account may have got a further identity before it was locked.
      moved.push(...(await takeIdentities(transaction, ownerId)));
    }
    await this.conditions.require({ playerId, otherId: ownerId, proven, identities: moved }, transaction);

    const games = ownerId ? await mergeAccounts({ transaction, playerId, mergedId: ownerId, now }) : 0;
    // False when a first sign-in with the identity came in between.
    if (!(await addIdentities(transaction, playerId, moved))) throw new LinkRefusal(LinkRefusalReason.account_changed);
    return ownerId ? { playerId: ownerId, games } : undefined;
  }
}
