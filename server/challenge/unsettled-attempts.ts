import type { DataSource } from 'typeorm';

const UNSETTLED = '(NOT closed OR counted < cardinality(games))';

const ONE_OF_PLAYERS = `
  SELECT FROM challenge_attempts WHERE player_id = ANY($1) AND ${UNSETTLED} AND cardinality(games) > 0 LIMIT 1`;

const FIRST_BEFORE = `
  SELECT player_id AS "playerId", day::text FROM challenge_attempts
  WHERE ${UNSETTLED} AND day < $1 ORDER BY day LIMIT 1`;

/** Whether one of the players has an unsettled attempt, also of today. An answer to the position alone has no game to settle. */
export async function haveUnsettled(
  playerIds: readonly string[],
  database: Pick<DataSource, 'query'>,
): Promise<boolean> {
  return (await database.query<unknown[]>(ONE_OF_PLAYERS, [playerIds])).length > 0;
}

/** The earliest unsettled attempt before a day. */
export async function firstUnsettledBefore(
  day: string,
  database: Pick<DataSource, 'query'>,
): Promise<{ playerId: string; day: string } | undefined> {
  const [attempt] = await database.query<{ playerId: string; day: string }[]>(FIRST_BEFORE, [day]);
  return attempt;
}
