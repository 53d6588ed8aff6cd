import type { DataSource } from 'typeorm';

/** The player of an id, also of a merged one. A merged account without games has left no trace. */
export async function ownerOf(database: DataSource, playerId: string): Promise<string> {
  const [merged] = await database.query<{ player_id: string }[]>(
    'SELECT player_id FROM merged_players WHERE merged_id = $1',
    [playerId],
  );
  return merged?.player_id ?? playerId;
}

/** The players whose accounts became part of this one. Their games keep their ids. */
export async function mergedInto(database: DataSource, playerId: string): Promise<string[]> {
  const merged = await database.query<{ id: string }[]>(
    'SELECT merged_id AS id FROM merged_players WHERE player_id = $1',
    [playerId],
  );
  return merged.map(({ id }) => id);
}
