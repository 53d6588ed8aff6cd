import type { EntityManager } from 'typeorm';
import { identitiesOf, takeIdentities } from '../auth/players/identities.js';
import { moveLeft, rememberLeft } from '../auth/players/left-identities.js';
import type { Player } from '../auth/players/player.entity.js';
import { lockedPlayer, removePlayer } from '../auth/players/stored-players.js';
import { removeSessions } from '../auth/sessions/sessions.service.js';
import { removeCodes } from '../auth/sign-in/sign-in-codes.service.js';
import { lockStats, removeGames, removeSums } from '../counting/void-game.js';

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
 * Deletes a player with all rows. Locks are taken in the order of a sign-in and of a game: codes, identities, stats, player. A
 * foreign key removes the attempts at the challenge. What operators have decided waits for the next sign-in.
 */
export async function deleteAccount(transaction: EntityManager, playerId: string): Promise<void> {
  await removeCodes(transaction, playerId);
  const identities = await takeIdentities(transaction, playerId);
  const player = (await lockPlayers(transaction, [playerId])).get(playerId);
  await removeSums(transaction, playerId);
  await removeGames(transaction, playerId);
  await removeSessions(transaction, playerId);
  if (player) await rememberLeft(transaction, player, identities);
  await removePlayer(transaction, playerId);
}

const PLAYED = `
  SELECT 1 FROM games WHERE player_id = $1
  UNION ALL SELECT 1 FROM voided_games WHERE player_id = $1
  UNION ALL SELECT 1 FROM challenge_attempts WHERE player_id = $1
  LIMIT 1`;

/** Whether nothing would be lost with the account but its one identity. */
export async function isUnused(manager: EntityManager, playerId: string): Promise<boolean> {
  const played = await manager.query<unknown[]>(PLAYED, [playerId]);
  return played.length === 0 && (await identitiesOf(manager, playerId)).length < 2;
}

/** Ends an unused account, whose identity another player gets. Both players are locked. */
export async function giveUpAccount(transaction: EntityManager, playerId: string, toId: string): Promise<void> {
  await removeCodes(transaction, playerId);
  await takeIdentities(transaction, playerId);
  await removeSums(transaction, playerId);
  await removeSessions(transaction, playerId);
  await moveLeft(transaction, playerId, toId);
  await removePlayer(transaction, playerId);
}
