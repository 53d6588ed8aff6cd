import type { DataSource } from 'typeorm';

const ONE_OF_PLAYERS = `
  SELECT FROM challenge_attempts
  WHERE player_id = ANY($1) AND (NOT closed OR counted < cardinality(games)) AND cardinality(games) > 0 LIMIT 1`;

/** Whether one of the players has an unsettled attempt, also of today. */
export async function haveUnsettled(
  playerIds: readonly string[],
  database: Pick<DataSource, 'query'>,
): Promise<boolean> {
  return (await database.query<unknown[]>(ONE_OF_PLAYERS, [playerIds])).length > 0;
}
