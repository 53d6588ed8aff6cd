import type { EntityManager } from 'typeorm';
import { lockPlayer } from '../auth/players/remove-player.js';
import { lockPlayerStats } from '../counting/remove-games.js';

/** Locks stats and players in the order of the ids. A game waits. @returns the players who exist */
export async function lockPlayers(transaction: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const sorted = ids.toSorted();
  for (const id of sorted) await lockPlayerStats(transaction, id);
  const existing = new Set<string>();
  for (const id of sorted) if (await lockPlayer(transaction, id)) existing.add(id);
  return existing;
}
