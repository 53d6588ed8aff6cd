import { Between, type EntityManager, In } from 'typeorm';
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

/** The same for each of several ids, in their order. */
export async function ownersOf(manager: EntityManager, playerIds: readonly string[]): Promise<string[]> {
  const merged = await manager.getRepository(MergedPlayer).findBy({ mergedId: In(playerIds) });
  const owners = new Map(merged.map(({ mergedId, playerId }) => [mergedId, playerId]));
  return playerIds.map((id) => owners.get(id) ?? id);
}

/** For each player, the ids under which their games are: their own, and those of merged accounts. */
export async function idsWithGamesOf(manager: EntityManager, playerIds: readonly string[]): Promise<string[][]> {
  const merged = await manager.getRepository(MergedPlayer).findBy({ playerId: In(playerIds) });
  return playerIds.map((id) => [
    id,
    ...merged.filter(({ playerId }) => playerId === id).map(({ mergedId }) => mergedId),
  ]);
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
