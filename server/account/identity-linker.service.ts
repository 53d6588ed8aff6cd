import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { addIdentities, identitiesOf, lockIdentity, playerWith, takeIdentities } from '../auth/players/identities.js';
import { takeUpLeft } from '../auth/players/left-identities.js';
import { pictureOf } from '../auth/players/picture.js';
import { playerById } from '../auth/players/stored-players.js';
import { isSessionLive } from '../auth/sessions/sessions.service.js';
import { sessionEnded, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { LinkCodesService, type ProvenIdentity } from '../auth/sign-in/link-codes.service.js';
import { Clock } from '../base/clock.js';
import { GameConnections } from '../counting/game-connections.js';
import { PlayerStats } from '../counting/tables/player-stats.entity.js';
import { retryConflicts } from '../database/errors/retry-conflicts.js';
import { Env } from '../settings/env.js';
import { toPlayerStats } from '../stats/player-stats.type.js';
import type { OtherAccountType } from './link.type.js';
import { LinkRefusal, requireLinkable } from './link-conditions.js';
import { lockPlayers, mergeAccounts } from './stored-accounts.js';

/**
 * Adds identities to a player, in one transaction. Locks are taken in the order of a sign-in and of `deleteAccount`: codes,
 * identities, stats, players; two players in the order of their ids.
 */
@Injectable()
export class IdentityLinker {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly codes: LinkCodesService,
    private readonly connections: GameConnections,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  /** What the link of an identity would do. Changes nothing. */
  async preview(
    playerId: string,
    proven: ProvenIdentity,
  ): Promise<{ other: OtherAccountType | null; refusal?: LinkRefusal }> {
    const { manager } = this.dataSource;
    const { gamesPerDay } = this.env;
    const otherId = await playerWith(manager, proven);
    if (otherId === playerId) return { other: null, refusal: new LinkRefusal('already_linked') };
    const other = otherId ? await this.accountOf(otherId) : null;
    const identities = otherId ? await identitiesOf(manager, otherId) : [proven];
    try {
      const link = { playerId, otherId, proven, identities, gamesPerDay };
      await this.connections.use(() => requireLinkable(manager, link));
      return { other };
    } catch (refusal) {
      if (!(refusal instanceof LinkRefusal)) throw refusal;
      return { other, refusal };
    }
  }

  private async accountOf(playerId: string): Promise<OtherAccountType | null> {
    const player = await playerById(this.dataSource.manager, playerId);
    if (!player) return null;
    const picture = pictureOf(player, this.env.publicOrigin);
    return { playerId, name: player.name, picture, stats: toPlayerStats(playerId, await this.statsOf(playerId)) };
  }

  private statsOf(playerId: string): Promise<PlayerStats | null> {
    return this.dataSource.getRepository(PlayerStats).findOneBy({ playerId });
  }

  /**
   * @param otherId the player of the account that the player has agreed to add
   * @returns the account that became part of this one, if the identity had one, and the sums
   * @throws {LinkRefusal}
   */
  async link(player: SignedInPlayer, code: string, proven: ProvenIdentity, otherId: string | null) {
    const merged = await retryConflicts(() =>
      this.connections.use(() =>
        this.dataSource.transaction(async (transaction) => {
          if (!(await this.codes.spend(code, player, transaction))) throw new LinkRefusal('link_expired');
          return this.add(player, proven, otherId, transaction);
        }),
      ),
    );
    return { merged, stats: await this.statsOf(player.playerId) };
  }

  private async add(
    player: SignedInPlayer,
    proven: ProvenIdentity,
    otherId: string | null,
    transaction: EntityManager,
  ): Promise<{ playerId: string; games: number } | undefined> {
    const { playerId } = player;
    const { issuer, subject } = proven;
    const now = this.clock.now();
    const ownerId = await lockIdentity(transaction, proven);
    if (ownerId === playerId) throw new LinkRefusal('already_linked');
    if (ownerId !== otherId) throw new LinkRefusal('account_changed');

    const moved = ownerId ? await takeIdentities(transaction, ownerId) : [{ issuer, subject, createdAt: now }];
    const locked = await lockPlayers(transaction, ownerId ? [playerId, ownerId] : [playerId]);
    if (!locked.has(playerId) || !(await isSessionLive(transaction, player, now))) throw sessionEnded();
    if (ownerId) {
      if (!locked.has(ownerId)) throw new LinkRefusal('account_changed');
      // The other account may have got a further identity before it was locked.
      moved.push(...(await takeIdentities(transaction, ownerId)));
    }
    const { gamesPerDay } = this.env;
    await requireLinkable(transaction, { playerId, otherId: ownerId, proven, identities: moved, gamesPerDay });

    const games = ownerId ? await mergeAccounts(transaction, playerId, ownerId, now) : 0;
    // False when a first sign-in with the identity came in between.
    if (!(await addIdentities(transaction, playerId, moved))) throw new LinkRefusal('account_changed');
    await takeUpLeft(transaction, proven, playerId);
    return ownerId ? { playerId: ownerId, games } : undefined;
  }
}
