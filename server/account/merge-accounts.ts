import type { EntityManager } from 'typeorm';
import { addMergedPlayer, moveMergedPlayers } from '../auth/players/merged-players.js';
import { keepReplacedName } from '../auth/players/moderated-player.js';
import { removePlayer } from '../auth/players/remove-player.js';
import { removeSessions } from '../auth/sessions/sessions-of-player.js';
import { removeCodes } from '../auth/sign-in/remove-codes.js';
import { mergeAttempts } from '../challenge/merge-attempts.js';
import { mergeSumsOf } from '../counting/merge-sums.js';
import { removeVoidedGames } from '../counting/remove-games.js';

/** Two accounts of one person. Both players are locked. */
export interface Merge {
  readonly transaction: EntityManager;
  /** The player who stays. */
  readonly playerId: string;
  /** The player who goes. */
  readonly mergedId: string;
  readonly now: Date;
}

/**
 * Adds the account of one player to that of another, and removes the first player. Games stay under their ids, to which
 * `merged_players` leads. `IdentityLinker` moves the identities. A new table with rows of a player belongs here, in
 * `delete-account.ts` and in `account-sections.ts`.
 * @returns how many games the player who goes had
 */
export async function mergeAccounts({ transaction, playerId, mergedId, now }: Merge): Promise<number> {
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
  await removePlayer(transaction, mergedId);
  return games;
}
