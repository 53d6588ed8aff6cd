import type { DataSource } from 'typeorm';
import type { Attempt } from './attempt.js';

/**
 * Runs statements: a pool of requests, a transaction, or the connections of the background work, which know no entities. So
 * the statements below are SQL.
 */
export type Statements = Pick<DataSource, 'query'>;

/** A page of attempts has at most this many. */
export const PAGE = 200;

/** A date as text has no time zone. */
const ATTEMPT = `
  player_id AS "playerId", day::text, games, started_at AS "startedAt", finished, wins, draws, closed, counted,
  position_square AS "positionSquare"`;

/** The settlement has something to do: some games may be open or missing in the stats. An index has this condition. */
const UNSETTLED = '(NOT closed OR counted < cardinality(games))';

const NEXT_BEFORE = `
  SELECT ${ATTEMPT} FROM challenge_attempts
  WHERE ${UNSETTLED} AND day < $1 AND (day, player_id) > ($2, $3)
  ORDER BY day, player_id LIMIT ${PAGE}`;

const OF_PLAYER_BEFORE = `
  SELECT ${ATTEMPT} FROM challenge_attempts WHERE player_id = $1 AND ${UNSETTLED} AND day < $2 ORDER BY day`;

const ONE_OF_PLAYERS = `
  SELECT FROM challenge_attempts WHERE player_id = ANY($1) AND ${UNSETTLED} AND cardinality(games) > 0 LIMIT 1`;

const FIRST_BEFORE = `
  SELECT player_id AS "playerId", day::text FROM challenge_attempts
  WHERE ${UNSETTLED} AND day < $1 ORDER BY day LIMIT 1`;

const CLOSE = 'UPDATE challenge_attempts SET closed = true WHERE player_id = $1 AND day = $2 AND NOT closed';
const CLOSED = `SELECT ${ATTEMPT} FROM challenge_attempts WHERE player_id = $1 AND day = $2`;
const NOTE_COUNTED = 'UPDATE challenge_attempts SET counted = greatest(counted, $3) WHERE player_id = $1 AND day = $2';

/** Names an attempt. */
export type AttemptKey = Pick<Attempt, 'playerId' | 'day'>;

/** The next page of unsettled attempts before a day, in the order of days and players. */
export function nextUnsettledBefore(day: string, after: AttemptKey, database: Statements): Promise<Attempt[]> {
  return database.query<Attempt[]>(NEXT_BEFORE, [day, after.day, after.playerId]);
}

/** The player's unsettled attempts before a day. */
export function unsettledOf(playerId: string, day: string, database: Statements): Promise<Attempt[]> {
  return database.query<Attempt[]>(OF_PLAYER_BEFORE, [playerId, day]);
}

/** Whether one of the players has an unsettled attempt, also of today. An answer to the position alone has no game to settle. */
export async function haveUnsettled(playerIds: readonly string[], database: Statements): Promise<boolean> {
  return (await database.query<unknown[]>(ONE_OF_PLAYERS, [playerIds])).length > 0;
}

/** The earliest unsettled attempt before a day. */
export async function firstUnsettledBefore(day: string, database: Statements): Promise<AttemptKey | undefined> {
  const [attempt] = await database.query<AttemptKey[]>(FIRST_BEFORE, [day]);
  return attempt;
}

/** Closes an attempt. @returns the attempt as no move changes it any more; undefined for a deleted player */
export async function closeAttempt({ playerId, day }: AttemptKey, database: Statements): Promise<Attempt | undefined> {
  await database.query(CLOSE, [playerId, day]);
  // A server whose clock is behind may have played a move until then.
  const [closed] = await database.query<Attempt[]>(CLOSED, [playerId, day]);
  return closed;
}

/** Notes that the first `counted` games of the attempt are in the player's stats. */
export async function noteCounted(attempt: AttemptKey, counted: number, database: Statements): Promise<void> {
  await database.query(NOTE_COUNTED, [attempt.playerId, attempt.day, counted]);
}
