import type { EntityManager } from 'typeorm';
import { takeIdentities } from '../auth/players/identities.js';
import { moveLeft, rememberLeft } from '../auth/players/left-identities.js';
import {
  addMergedPlayer,
  forgetMergedPlayers,
  mergedIdsOf,
  moveMergedPlayers,
} from '../auth/players/merged-players.js';
import { keepReplacedName, lockedPlayer, removePlayer } from '../auth/players/stored-players.js';
import { removeSessions } from '../auth/sessions/sessions.service.js';
import { removeCodes } from '../auth/sign-in/sign-in-codes.service.js';
import { mergeAttempts } from '../challenge/merge-attempts.js';
import { mergeSumsOf } from '../counting/merge-sums.js';
import { lockPlayerStats, removeGames, removeSums, removeVoidedGames } from '../counting/remove-games.js';

/** Locks stats and players in the order of the ids. A game waits. @returns the players who exist */
export async function lockPlayers(transaction: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const sorted = ids.toSorted();
  for (const id of sorted) await lockPlayerStats(transaction, id);
  const existing = new Set<string>();
  for (const id of sorted) if (await lockedPlayer(transaction, id)) existing.add(id);
  // The first game of a player may have made the row meanwhile.
  for (const id of sorted) await lockPlayerStats(transaction, id);
  return existing;
}

/**
 * Deletes a player with all rows. Locks are taken in the order of a sign-in and of a game: codes, identities, stats, player. A
 * foreign key removes the attempts at the challenge. What operators have decided waits for the next sign-in.
 */
export async function deleteAccount(transaction: EntityManager, playerId: string): Promise<void> {
  await removeCodes(transaction, playerId);
  const identities = await takeIdentities(transaction, playerId);
  await lockPlayerStats(transaction, playerId);
  const player = await lockedPlayer(transaction, playerId);
  // The first game of the player may have made the row meanwhile.
  await lockPlayerStats(transaction, playerId);
  // A merge locks the player, so no account is added from here on.
  const merged = await mergedIdsOf(transaction, playerId);
  await removeSums(transaction, playerId);
  await removeGames(transaction, [playerId, ...merged]);
  await forgetMergedPlayers(transaction, playerId);
  await removeSessions(transaction, playerId);
  if (player) await rememberLeft(transaction, player, identities);
  await removePlayer(transaction, playerId);
}

/**
 * Adds the account of one player to that of another, and removes the first player. Games stay under their ids, to which
 * `merged_players` leads. `IdentityLinker` moves the identities. A new table with rows of a player belongs here, in
 * `deleteAccount` and in `account-exports.service.ts`.
 * @param playerId the player who stays. Both players are locked.
 * @param mergedId the player who goes
 * @returns how many games the player who goes had
 */
export async function mergeAccounts(
  transaction: EntityManager,
  playerId: string,
  mergedId: string,
  now: Date,
): Promise<number> {
  const games = await mergeSumsOf(transaction, playerId, mergedId);
  const earlier = await moveMergedPlayers(transaction, mergedId, playerId);
  if (games > earlier) {
    await addMergedPlayer(transaction, { playerId, mergedId, games: games - earlier, mergedAt: now });
  } else {
    // Nothing leads to its voided games any more.
    await removeVoidedGames(transaction, [mergedId]);
  }
  await mergeAttempts(transaction, playerId, mergedId);
  await removeCodes(transaction, mergedId);
  await removeSessions(transaction, mergedId);
  await keepReplacedName(transaction, playerId, mergedId);
  await moveLeft(transaction, mergedId, playerId);
  await removePlayer(transaction, mergedId);
  return games;
}
