import { type EntityManager, In } from 'typeorm';
import { Player } from './player.entity.js';

const FIND = `
  SELECT id FROM players
  WHERE id::text = lower($1) OR lower(email) = lower($1) OR position(lower($1) IN lower(name)) > 0
  ORDER BY lower(name), id LIMIT $2`;

export function playerById(manager: EntityManager, id: string): Promise<Player | null> {
  return manager.getRepository(Player).findOneBy({ id });
}

/** Finds players by id, by email address, or by a part of the name. @returns them by name */
export async function searchPlayers(manager: EntityManager, text: string, limit: number): Promise<Player[]> {
  const found = await manager.query<{ id: string }[]>(FIND, [text, limit]);
  const players = await manager.getRepository(Player).findBy({ id: In(found.map(({ id }) => id)) });
  const byId = new Map(players.map((player) => [player.id, player]));
  return found.flatMap(({ id }) => byId.get(id) ?? []);
}
