import { Injectable, Logger, NotFoundException } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { identitiesOf, lockIdentity, removeIdentity } from '../auth/players/identities.js';
import { rememberLeft } from '../auth/players/left-identities.js';
import { playerById } from '../auth/players/stored-players.js';
import type { ProviderName } from '../auth/players/provider-name.js';
import { endOtherSessions } from '../auth/sessions/sessions.service.js';
import type { ActingPlayer, SignedInPlayer } from '../auth/sessions/signed-in.js';
import { ProvidersService } from '../auth/sign-in/providers.service.js';
import { removeUnspentCodes } from '../auth/sign-in/sign-in-codes.service.js';
import { Clock } from '../base/clock.js';
import { PlayerChanges } from '../base/player-changes.js';
import { ChallengeIdentities } from '../challenge/challenge-identities.js';
import { retryConflicts } from '../database/errors/retry-conflicts.js';
import type { IdentityType } from './link.type.js';
import { deleteAccount, lockPlayers } from './stored-accounts.js';
import { CodedException } from '../web/answers/codes.js';

/** Lists the identities of a player, removes one, and deletes the whole account. */
@Injectable()
export class AccountService {
  private readonly logger = new Logger('Auth');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly providers: ProvidersService,
    private readonly changes: PlayerChanges,
    private readonly challengeIdentities: ChallengeIdentities,
    private readonly clock: Clock,
  ) {}

  /** The identities with which the player can sign in. */
  async identitiesOf(playerId: string, manager: EntityManager = this.dataSource.manager): Promise<IdentityType[]> {
    return (await identitiesOf(manager, playerId)).flatMap(({ issuer, createdAt }) => {
      const provider = this.providers.providerOf(issuer);
      return provider ? [{ provider, linkedAt: createdAt }] : [];
    });
  }

  /**
   * Removes the identity at a provider and ends all other sessions, because one of them may have begun with it.
   * @throws {NotFoundException} when the player has none there
   * @throws {ForbiddenException} when no other one would be left
   */
  async unlink(player: ActingPlayer, provider: ProviderName): Promise<IdentityType[]> {
    const { playerId, request } = player;
    const issuer = this.providers.issuerOf(provider);
    await retryConflicts(() =>
      this.dataSource.transaction((transaction) => this.removeAt(issuer, player, transaction)),
    );
    this.logger.log({ event: 'identity_unlinked', requestId: request.id, provider, playerId });
    return this.identitiesOf(playerId);
  }

  /** Deletes the player with all rows. */
  async delete({ playerId, request }: ActingPlayer): Promise<void> {
    await retryConflicts(() =>
      this.dataSource.transaction(async (transaction) => {
        await this.challengeIdentities.keep(transaction, playerId);
        await deleteAccount(transaction, playerId);
      }),
    );
    this.changes.publish({ playerId });
    this.logger.log({ event: 'account_deleted', requestId: request.id, playerId });
  }

  private async removeAt(
    issuer: string | undefined,
    player: SignedInPlayer,
    transaction: EntityManager,
  ): Promise<void> {
    const { playerId } = player;
    await removeUnspentCodes(transaction, playerId);
    const found = (await identitiesOf(transaction, playerId)).find((identity) => identity.issuer === issuer);
    if (!found || (await lockIdentity(transaction, found)) !== playerId) {
      throw new NotFoundException('This sign-in method is not linked.');
    }
    await lockPlayers(transaction, [playerId]);
    // A sign-in that held the identity may have issued a code meanwhile.
    await removeUnspentCodes(transaction, playerId);
    // Another identity may have been removed before the player was locked.
    if ((await this.identitiesOf(playerId, transaction)).length < 2) {
      throw new CodedException('last_identity', 'This is your only sign-in method. Link another one first.');
    }
    await this.challengeIdentities.keep(transaction, playerId);
    await removeIdentity(transaction, found);
    await rememberLeft(transaction, (await playerById(transaction, playerId))!, [found]);
    await endOtherSessions(transaction, player, this.clock.now());
  }
}
