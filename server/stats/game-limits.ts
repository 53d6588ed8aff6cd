import type { DataSource } from 'typeorm';
import { gamesIn } from '../../game/scoring.js';
import { endOfDay, utcDay } from '../base/clock.js';
import { run } from '../database/statements.js';
import type { Game } from './game.entity.js';
import type { PlayerSums } from './sums.js';

/** A finished game that is not counted yet, and on which conditions it counts. */
export interface GameToCount {
  readonly game: Omit<Game, 'number' | 'bonus' | 'points'>;
  readonly limits: GameLimits;
}

/** How many games of a player count. 0 means no limit. */
export interface GameLimits {
  readonly gamesPerMinute: number;
  /** In a UTC day. */
  readonly gamesPerDay: number;
}

export type DaySums = Pick<PlayerSums, 'lastGameAt' | 'gamesThatDay'>;

const DAY_SUMS = {
  name: 'day-sums',
  text: `SELECT player_id AS "playerId", last_game_at AS "lastGameAt", games_that_day AS "gamesThatDay"
   FROM player_stats WHERE player_id = ANY ($1)`,
};

const MINUTE = 60_000;

const GAMES_OF_DAY = `
  SELECT count(*)::integer AS games FROM games
  WHERE player_id = $1
    AND finished_at >= $2::date::timestamp AT TIME ZONE 'UTC' AND finished_at < ($2::date + 1)::timestamp AT TIME ZONE 'UTC'`;

/**
 * How many games the player has on the UTC day of a time. The sums know it unless another server's clock is ahead.
 * @param planned games that are in the sums, and not yet in the table
 */
export async function gamesOnDay(
  database: DataSource,
  { lastGameAt, gamesThatDay }: DaySums,
  { playerId, finishedAt }: Pick<Game, 'playerId' | 'finishedAt'>,
  planned: readonly Game[] = [],
): Promise<number> {
  const [last, today] = [lastGameAt && utcDay(lastGameAt), utcDay(finishedAt)];
  if (last === today) return gamesThatDay;
  if (last === null || last < today) return 0;
  const [row] = await database.query<[{ games: number }]>(GAMES_OF_DAY, [playerId, today]);
  return row.games + planned.filter((game) => utcDay(game.finishedAt) === today).length;
}

/** The sums of each player that say how many games there are today; undefined without a finished game. */
export async function daySumsOf(database: DataSource, playerIds: readonly string[]): Promise<(DaySums | undefined)[]> {
  const rows = await run<DaySums & { readonly playerId: string }>(database, { ...DAY_SUMS, values: [playerIds] });
  return playerIds.map((id) => rows.find(({ playerId }) => playerId === id));
}

/** From when the next game counts; null for now. @param limit in games per UTC day; 0 means no limit */
export function nextCountedFrom(now: Date, gamesToday: number, limit: number): Date | null {
  if (limit === 0 || gamesToday < limit) return null;
  return endOfDay(utcDay(now));
}

const RECENT_GAMES = `
  SELECT count(*)::integer AS games, min(finished_at) AS first FROM (
    SELECT finished_at FROM games WHERE player_id = $1 AND finished_at > $2 ORDER BY finished_at DESC LIMIT $3
  ) AS recent`;

/** Which limit the game is over, if any. `countsFrom`: when the minute begins in which one counts again. */
export async function limitReached(
  database: DataSource,
  { game, limits }: GameToCount,
  { sums, gamesToday, planned }: { sums: PlayerSums; gamesToday: number; planned: readonly Game[] },
): Promise<{ readonly status: 'too_many_games' | 'too_many_games_today'; readonly countsFrom?: Date } | undefined> {
  const { playerId, finishedAt } = game;
  const { gamesPerDay, gamesPerMinute } = limits;
  if (gamesPerDay > 0 && gamesToday >= gamesPerDay) return { status: 'too_many_games_today' };
  const since = new Date(finishedAt.getTime() - MINUTE);
  // The sums show for most games that the limit is not reached: a search in `games` costs more.
  if (gamesPerMinute === 0 || gamesIn(sums) < gamesPerMinute) return undefined;
  if (sums.lastGameAt && sums.lastGameAt <= since) return undefined;
  if (gamesToday < gamesPerMinute && utcDay(since) === utcDay(finishedAt)) return undefined;
  const free = Math.max(0, gamesPerMinute - planned.length);
  const [row] = await database.query<[{ games: number; first: Date | null }]>(RECENT_GAMES, [playerId, since, free]);
  if (row.games < free) return undefined;
  const first = row.first ?? planned[0]!.finishedAt;
  return { status: 'too_many_games', countsFrom: new Date(first.getTime() + MINUTE) };
}
