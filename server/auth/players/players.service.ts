import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../clock.js';
import { PlayerChanges } from '../../player-changes.js';
import { Identity } from './identity.entity.js';
import { Player } from './player.entity.js';
import { emailOf, nameOf, pictureUrlOf, type Profile } from './profile.js';
import { retryConflicts } from '../../database/retry-conflicts.js';

@Injectable()
export class PlayersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly changes: PlayerChanges,
  ) {}

  byId(id: string): Promise<Player | null> {
    return this.dataSource.getRepository(Player).findOneBy({ id });
  }

  /** Finds the player of an identity and updates the profile, or creates a player for a new identity. */
  async signIn(profile: Profile): Promise<Player> {
    const player = await retryConflicts(() =>
      this.dataSource.transaction((transaction) => this.findOrCreate(profile, transaction)),
    );
    this.changes.publish({ playerId: player.id });
    return player;
  }

  /**
   * The identity and the player may be on two shards. Each step can be repeated, so a sign-in completes what a crash has
   * left between the two.
   */
  private async findOrCreate(profile: Profile, transaction: EntityManager): Promise<Player> {
    const { issuer, subject, provider } = profile;
    const createdAt = this.clock.now();
    const id = await this.playerOf(issuer, subject, transaction);
    const player = {
      id,
      name: nameOf(profile),
      email: emailOf(profile),
      picture: pictureUrlOf(profile),
      provider,
      createdAt,
    };
    const players = transaction.getRepository(Player);
    await players
      .createQueryBuilder()
      .insert()
      .values(player)
      .orUpdate(['name', 'email', 'picture', 'provider'], ['id'])
      .execute();
    return players.findOneByOrFail({ id });
  }

  /** The player of the identity, which gets a new id when it is new. The lock makes a deletion of the account wait. */
  private async playerOf(issuer: string, subject: string, transaction: EntityManager): Promise<string> {
    const identities = transaction.getRepository(Identity);
    for (;;) {
      const known = await identities.findOne({ where: { issuer, subject }, lock: { mode: 'for_key_share' } });
      if (known) return known.playerId;
      const identity = { issuer, subject, playerId: randomUUID(), createdAt: this.clock.now() };
      // A concurrent first sign-in may have created the identity just now.
      const inserted = await identities
        .createQueryBuilder()
        .insert()
        .values(identity)
        .orIgnore()
        .returning('issuer')
        .execute();
      if ((inserted.raw as unknown[]).length > 0) return identity.playerId;
    }
  }
}
