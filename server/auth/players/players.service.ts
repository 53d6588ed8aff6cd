import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, type Repository } from 'typeorm';
import { Clock } from '../../base/clock.js';
import { PlayerChanges } from '../../base/events.js';
import { addIdentity, bannedPlayerOf, playerWith } from './identities.repository.js';
import { type Returned, returnLeftIdentity } from './left-identities.repository.js';
import { Player } from './player.entity.js';
import type { Profile } from './profile.js';
import { now, saveProfile, updatePlayer } from './players.repository.js';
import { retryConflicts } from '../../database/errors.js';
import { playerRefusal } from './refusals.js';

@Injectable()
export class PlayersService {
  private readonly logger = new Logger('Auth');
  private takeOffBoards: (transaction: EntityManager, playerId: string) => Promise<void> = () => Promise.resolve();

  constructor(
    @InjectRepository(Player) private readonly players: Repository<Player>,
    private readonly clock: Clock,
    private readonly changes: PlayerChanges,
  ) {}

  /** `StatsService` registers here how a hidden player leaves the boards: this folder may not import it. */
  whenHidden(takeOffBoards: PlayersService['takeOffBoards']): void {
    this.takeOffBoards = takeOffBoards;
  }

  byId(id: string): Promise<Player | null> {
    return this.players.findOneBy({ id });
  }

  /** @returns null for a player whom a moderator or an operator has hidden or banned, with a closed page, or who is gone */
  shown(id: string): Promise<Player | null> {
    return this.players.findOneBy({ id, hiddenAt: IsNull(), bannedAt: IsNull(), pageOpen: true });
  }

  async setPageOpen(id: string, pageOpen: boolean): Promise<boolean> {
    await this.players.update({ id }, { pageOpen });
    return pageOpen;
  }

  /**
   * Finds the player of an identity and updates the profile, or creates a player for a new identity.
   * @throws {Refusal} when the player is banned, or was when the account was deleted
   */
  async signIn(profile: Profile): Promise<Player> {
    const player = await retryConflicts(() =>
      this.players.manager.transaction((transaction) => this.findOrCreate(profile, transaction)),
    );
    this.changes.publish({ playerId: player.id });
    return player;
  }

  /**
   * The identity and the player may be on two shards. Each step can be repeated, so a sign-in completes what a crash has
   * left between the two.
   */
  private async findOrCreate(profile: Profile, transaction: EntityManager): Promise<Player> {
    const id = await this.playerOf(profile, transaction);
    await saveProfile(transaction, id, profile, this.clock.now());
    const left = await returnLeftIdentity(transaction, profile, id);
    if (left) await this.follow(transaction, id, left);
    const player = await transaction.getRepository(Player).findOneByOrFail({ id });
    if (player.bannedAt) throw playerRefusal('account_banned', undefined, { playerId: id });
    return player;
  }

  /** Decisions about the player whom the identity has left hold for its new player. */
  private async follow(
    transaction: EntityManager,
    id: string,
    { leftPlayerId, hidden, name }: Returned,
  ): Promise<void> {
    if (name !== null) await updatePlayer(transaction, id, { name, renamedAt: now });
    if (hidden) {
      await updatePlayer(transaction, id, { hiddenAt: now });
      await this.takeOffBoards(transaction, id);
    }
    if (hidden || name !== null) {
      this.logger.log({ event: 'decision_followed', playerId: id, leftPlayerId, hidden, renamed: name !== null });
    }
  }

  /** The player of the identity, which gets a new id when it is new. The lock makes a deletion of the account wait. */
  private async playerOf({ issuer, subject }: Profile, transaction: EntityManager): Promise<string> {
    for (;;) {
      const known = await playerWith(transaction, { issuer, subject }, 'for_key_share');
      if (known) return known;
      // The account of a banned player may be deleted.
      const banned = await bannedPlayerOf({ issuer, subject }, transaction);
      if (banned) throw playerRefusal('account_banned', undefined, { playerId: banned });
      const id = randomUUID();
      // A concurrent first sign-in may have created the identity just now.
      if (await addIdentity(transaction, { issuer, subject, playerId: id, createdAt: this.clock.now() })) return id;
    }
  }
}
