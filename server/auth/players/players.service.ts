import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../clock.js';
import { PlayerChanges } from '../../player-changes.js';
import { Identity } from './identity.entity.js';
import { Player } from './player.entity.js';
import { emailOf, nameOf, pictureUrlOf, type Profile } from './profile.js';
import { isUniqueViolation } from '../../database/unique-violation.js';

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
    const player = await this.findOrCreate(profile).catch((error: unknown) => {
      // A concurrent first sign-in has just created the identity.
      if (!isUniqueViolation(error)) throw error;
      return this.findOrCreate(profile);
    });
    this.changes.publish({ playerId: player.id });
    return player;
  }

  private findOrCreate(profile: Profile): Promise<Player> {
    const { issuer, subject, provider } = profile;
    const details = { name: nameOf(profile), email: emailOf(profile), picture: pictureUrlOf(profile), provider };
    return this.dataSource.transaction(async (transaction) => {
      const players = transaction.getRepository(Player);
      const identities = transaction.getRepository(Identity);
      const known = await identities.findOneBy({ issuer, subject });
      if (known) {
        await players.update(known.playerId, details);
        return players.findOneByOrFail({ id: known.playerId });
      }
      const createdAt = this.clock.now();
      const player = await players.save(players.create({ ...details, createdAt }));
      await identities.insert({ issuer, subject, playerId: player.id, createdAt });
      return player;
    });
  }
}
