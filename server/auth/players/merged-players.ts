import { Between, type EntityManager } from 'typeorm';
import { MergedPlayer } from './merged-player.entity.js';

/** The merged players whose games belong to this player, in a fixed order. */
export function mergedPlayersOf(manager: EntityManager, playerId: string): Promise<MergedPlayer[]> {
  const order = { mergedAt: 'ASC', mergedId: 'ASC' } as const;
  return manager.getRepository(MergedPlayer).find({ where: { playerId }, order });
}

/** The ids under which games of merged accounts of this player stay, in a fixed order. */
export async function mergedIdsOf(manager: EntityManager, playerId: string): Promise<string[]> {
  return (await mergedPlayersOf(manager, playerId)).map(({ mergedId }) => mergedId);
}

/** The player of an id, also of a merged one. A merged account without games has left no trace. */
export async function ownerOf(manager: EntityManager, playerId: string): Promise<string> {
  const merged = await manager.getRepository(MergedPlayer).findOneBy({ mergedId: playerId });
  return merged?.playerId ?? playerId;
}

/** Stores how many games a merged account has left. One without games is forgotten. */
export async function noteMergedGames(
  manager: EntityManager,
  { playerId, mergedId, games }: { playerId: string; mergedId: string; games: number },
): Promise<void> {
  const merged = manager.getRepository(MergedPlayer);
  if (games === 0) await merged.delete({ playerId, mergedId });
  else await merged.update({ playerId, mergedId }, { games });
}

/** All pairs in which one of the two ids is in the range. */
export function mergedPairs(
  manager: EntityManager,
  { first, last }: { first: string; last: string },
): Promise<MergedPlayer[]> {
  const inRange = Between(first, last);
  return manager.getRepository(MergedPlayer).findBy([{ playerId: inRange }, { mergedId: inRange }]);
}

/** The games of an account that is added to another one stay under its id. @returns how many of them are of earlier merges */
export async function moveMergedPlayers(manager: EntityManager, fromId: string, toId: string): Promise<number> {
  const merged = manager.getRepository(MergedPlayer);
  const earlier = await merged.findBy({ playerId: fromId });
  await merged.insert(earlier.map((row) => ({ ...row, playerId: toId })));
  await merged.delete({ playerId: fromId });
  return earlier.reduce((sum, { games }) => sum + games, 0);
}

export async function addMergedPlayer(manager: EntityManager, merged: MergedPlayer): Promise<void> {
  await manager.getRepository(MergedPlayer).insert(merged);
}

export async function forgetMergedPlayers(manager: EntityManager, playerId: string): Promise<void> {
  await manager.getRepository(MergedPlayer).delete({ playerId });
}
