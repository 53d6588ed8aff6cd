import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, Not } from 'typeorm';
import { identitiesOf, playerWith, removeIdentities } from '../auth/players/identities.repository.js';
import { Identity } from '../auth/players/identity.entity.js';
import { moveLeftIdentities, saveLeftIdentities } from '../auth/players/left-identities.repository.js';
import { lockedPlayer, removePlayer } from '../auth/players/players.repository.js';
import type { Player } from '../auth/players/player.entity.js';
import type { PublicProvider } from '../auth/players/profile.js';
import { type ActingPlayer, endSessions, type SignedInPlayer } from '../auth/sessions/session.entity.js';
import { ProvidersService } from '../auth/sign-in/providers.service.js';
import { removeUnspentCodes, SignInCode } from '../auth/sign-in/sign-in-codes.service.js';
import { Clock } from '../base/clock.js';
import { PlayerChanges } from '../base/events.js';
import { Attempt } from '../challenge/attempt.entity.js';
import { eraseDaresOf } from '../challenge/challenge-play.service.js';
import { ChallengeIdentities } from '../challenge/challenge-identities.service.js';
import { retryConflicts } from '../database/errors.js';
import type { IdentityType } from './link.type.js';
import { Refusal } from '../web/answers/refusals.js';
import { CountedGame, VoidedGame } from '../stats/game.entity.js';
import { lockStats, removeGames, removeSums } from '../stats/player-stats.repository.js';
import { accountRefusal } from './refusals.js';

@Injectable()
export class AccountService {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly dataSource: DataSource,
    private readonly providers: ProvidersService,
    private readonly changes: PlayerChanges,
    private readonly challengeIdentities: ChallengeIdentities,
    private readonly clock: Clock,
  ) {}

  async identitiesOf(playerId: string, manager: EntityManager = this.dataSource.manager): Promise<IdentityType[]> {
    return (await identitiesOf(manager, playerId)).flatMap(({ issuer, createdAt }) => {
      const provider = this.providers.at(issuer);
      return provider ? [{ ...provider, linkedAt: createdAt }] : [];
    });
  }

  /**
   * Removes the identity at a provider and ends all other sessions, because one of them may have begun with it.
   * @throws {Refusal} when the player has none there, or no other one
   */
  async unlink(player: ActingPlayer, provider: PublicProvider): Promise<IdentityType[]> {
    const { playerId, request } = player;
    const issuer = this.providers.issuerOf(provider);
    await retryConflicts(() =>
      this.dataSource.transaction((transaction) => this.removeAt(issuer, player, transaction)),
    );
    this.logger.log({ event: 'identity_unlinked', requestId: request.id, ...this.providers.at(issuer!), playerId });
    return this.identitiesOf(playerId);
  }

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
    { playerId, sessionId }: SignedInPlayer,
    transaction: EntityManager,
  ): Promise<void> {
    await removeUnspentCodes(transaction, playerId);
    const found = (await identitiesOf(transaction, playerId)).find((identity) => identity.issuer === issuer);
    if (!found || (await playerWith(transaction, found, 'pessimistic_write')) !== playerId) {
      throw new Refusal('not_found', 'This sign-in method is not linked.');
    }
    const player = (await lockPlayers(transaction, [playerId])).get(playerId)!;
    // A sign-in that held the identity may have issued a code meanwhile.
    await removeUnspentCodes(transaction, playerId);
    // Another identity may have been removed before the player was locked.
    if ((await this.identitiesOf(playerId, transaction)).length < 2) throw accountRefusal('last_identity');
    await this.challengeIdentities.keep(transaction, playerId);
    await transaction.getRepository(Identity).delete({ issuer: found.issuer, subject: found.subject });
    await saveLeftIdentities(transaction, player, [found]);
    await endSessions(transaction, { playerId, id: Not(sessionId) }, this.clock.now());
  }
}

/** Locks stats and players in the order of the ids. A game waits. @returns the players who exist */
export async function lockPlayers(
  transaction: EntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Player>> {
  const sorted = ids.toSorted();
  for (const id of sorted) await lockStats(transaction, id);
  const existing = new Map<string, Player>();
  for (const id of sorted) {
    const player = await lockedPlayer(transaction, id);
    if (player) existing.set(id, player);
  }
  // The first game of a player may have made the row meanwhile.
  for (const id of sorted) await lockStats(transaction, id);
  return existing;
}

/**
 * Deletes a player with all rows. Locks are taken in the order of a sign-in and of a game: codes, identities, stats, player.
 * Foreign keys remove sessions and attempts. What operators have decided waits for the next sign-in.
 * @param heirId the player who gets the identity of an unused account
 */
export async function deleteAccount(transaction: EntityManager, playerId: string, heirId?: string): Promise<void> {
  await transaction.getRepository(SignInCode).delete({ playerId });
  const identities = await removeIdentities(transaction, playerId);
  const player = (await lockPlayers(transaction, [playerId])).get(playerId);
  await eraseDaresOf(transaction, playerId);
  await removeSums(transaction, playerId);
  await removeGames(transaction, playerId);
  if (heirId) await moveLeftIdentities(transaction, playerId, heirId);
  else if (player) await saveLeftIdentities(transaction, player, identities);
  await removePlayer(transaction, playerId);
}

/** Whether nothing would be lost with the account but its one identity. */
export async function isUnused(manager: EntityManager, playerId: string): Promise<boolean> {
  for (const played of [CountedGame, VoidedGame, Attempt])
    if (await manager.existsBy<CountedGame | VoidedGame | Attempt>(played, { playerId })) return false;
  return (await identitiesOf(manager, playerId)).length < 2;
}
