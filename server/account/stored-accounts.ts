import type { EntityManager } from 'typeorm';
import { forgetMergedPlayers, mergedIdsOf } from '../auth/players/merged-players.js';
import { removeIdentities } from '../auth/players/identities.js';
import { lockPlayer, removePlayer } from '../auth/players/remove-player.js';
import { removeSessions } from '../auth/sessions/sessions-of-player.js';
import { removeCodes } from '../auth/sign-in/remove-codes.js';
import { holdArchives, lockPlayerStats, removeGames, removeSums } from '../counting/remove-games.js';

/**
 * Deletes a player with all rows. Locks are taken in the order of a sign-in and of a game: codes, identities, stats, player. A
 * foreign key removes the attempts at the challenge.
 */
export async function deleteAccount(transaction: EntityManager, playerId: string): Promise<void> {
  await holdArchives(transaction);
  await removeCodes(transaction, playerId);
  await removeIdentities(transaction, playerId);
  await lockPlayerStats(transaction, playerId);
  await lockPlayer(transaction, playerId);
  // A merge locks the player, so no account is added from here on.
  const merged = await mergedIdsOf(transaction, playerId);
  await removeSums(transaction, playerId);
  await removeGames(transaction, [playerId, ...merged]);
  await forgetMergedPlayers(transaction, playerId);
  await removeSessions(transaction, playerId);
  await removePlayer(transaction, playerId);
}
