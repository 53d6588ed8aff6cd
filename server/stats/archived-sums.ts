import type { EntityManager } from 'typeorm';
import type { Stats } from '../../game/scoring.js';
import type { Day, WeekSums } from './game-sums.js';

/** What the archived games of one player add up to. */
export interface ArchivedSums {
  /** The number of the last of these games. */
  readonly upTo: number;
  readonly stats: Stats;
  readonly day: Day | null;
}

interface StatsRow extends Omit<Stats, 'score'> {
  readonly playerId: string;
  readonly upTo: number;
  readonly bonuses: number;
  readonly day: string | null;
  readonly gamesThatDay: number;
}

interface WeekRow extends Omit<WeekSums, 'score'> {
  readonly playerId: string;
  readonly week: string;
}

/** The columns of `archived_stats` that continue the sums of a player. */
const ARCHIVED_STATS = `
  player_id AS "playerId", up_to AS "upTo", wins, losses, draws, bonuses, easy_wins AS "easyWins",
  medium_wins AS "mediumWins", hard_wins AS "hardWins", win_streak AS "winStreak", verified_day::text AS day,
  verified_that_day AS "gamesThatDay"`;

/** The sums of the archived games of the players with ids from `first` to `last`, by player. */
export async function archivedSums(
  transaction: EntityManager,
  { first, last }: { first: string; last: string },
): Promise<Map<string, ArchivedSums>> {
  const rows = await transaction.query<StatsRow[]>(
    `SELECT ${ARCHIVED_STATS} FROM archived_stats WHERE player_id BETWEEN $1 AND $2`,
    [first, last],
  );
  return new Map(
    rows.map(({ playerId, upTo, bonuses, day, gamesThatDay, ...sums }) => {
      const stats = { ...sums, score: sums.wins - sums.losses + bonuses };
      return [playerId, { upTo, stats, day: day === null ? null : { day, games: gamesThatDay } }];
    }),
  );
}

/** The weeks of these archived games. */
export async function archivedWeeks(
  transaction: EntityManager,
  { first, last }: { first: string; last: string },
): Promise<{ playerId: string; week: string; sums: WeekSums }[]> {
  const rows = await transaction.query<WeekRow[]>(
    `SELECT player_id AS "playerId", week::text AS week, wins, losses, draws, day_points AS "dayPoints"
     FROM archived_weeks WHERE player_id BETWEEN $1 AND $2`,
    [first, last],
  );
  return rows.map(({ playerId, week, ...sums }) => ({
    playerId,
    week,
    sums: { ...sums, score: sums.dayPoints.reduce((sum, points) => sum + points, 0) },
  }));
}
