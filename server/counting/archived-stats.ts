import type { EntityManager } from 'typeorm';
import { pickStats, type Stats } from '../../game/scoring.js';
import type { Day, WeekSums } from './game-sums.js';

/** A row of `archived_stats`. A day is a text as `2026-01-31`; times are texts in UTC, to the microsecond. */
export interface ArchivedStatsRow extends Omit<Stats, 'score'> {
  readonly playerId: string;
  /** The number of the last of these games. */
  readonly upTo: number;
  readonly bonuses: number;
  readonly hardDraws: number;
  readonly hardDrawsInARow: number;
  readonly bestHardDraws: number;
  readonly verifiedDay: string | null;
  readonly verifiedThatDay: number;
  readonly firstAt: string;
  readonly lastAt: string;
  /** Null as long as all are draws. */
  readonly decidedAt: string | null;
}

type Name = keyof ArchivedStatsRow;

/** The columns of `archived_stats`, with their types. */
const COLUMNS: Readonly<Record<Name, readonly [column: string, type: string]>> = {
  playerId: ['player_id', 'uuid'],
  upTo: ['up_to', 'integer'],
  wins: ['wins', 'integer'],
  losses: ['losses', 'integer'],
  draws: ['draws', 'integer'],
  bonuses: ['bonuses', 'integer'],
  easyWins: ['easy_wins', 'integer'],
  mediumWins: ['medium_wins', 'integer'],
  hardWins: ['hard_wins', 'integer'],
  winStreak: ['win_streak', 'smallint'],
  hardDraws: ['hard_draws', 'integer'],
  hardDrawsInARow: ['hard_draws_in_a_row', 'integer'],
  bestHardDraws: ['best_hard_draws', 'integer'],
  verifiedDay: ['verified_day', 'date'],
  verifiedThatDay: ['verified_that_day', 'integer'],
  firstAt: ['first_at', 'timestamptz'],
  lastAt: ['last_at', 'timestamptz'],
  decidedAt: ['decided_at', 'timestamptz'],
};
const NAMES = Object.keys(COLUMNS) as Name[];

/** A time as a text in UTC, to the microsecond, so that texts can be compared. */
export const utcText = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The columns for a SELECT, named as in `ArchivedStatsRow`. */
export function archivedStatsColumns({
  names = NAMES,
  time = utcText,
}: { names?: readonly Name[]; time?: (column: string) => string } = {}): string {
  const value = ([column, type]: (typeof COLUMNS)[Name]) => {
    if (type === 'timestamptz') return time(column);
    return type === 'date' ? `${column}::text` : column;
  };
  return names.map((name) => `${value(COLUMNS[name])} AS "${name}"`).join(', ');
}

const namesWith = (part: (name: Name) => string) => NAMES.map(part).join(', ');

/** Writes rows, given as a JSON array in $1, over those of the same players. */
export const WRITE_ARCHIVED_STATS = `
  INSERT INTO archived_stats (${namesWith((name) => COLUMNS[name][0])})
  SELECT ${namesWith((name) => `"${name}"`)}
  FROM json_to_recordset($1) AS given (${namesWith((name) => `"${name}" ${COLUMNS[name][1]}`)})
  ON CONFLICT (player_id) DO UPDATE SET
    ${namesWith((name) => `${COLUMNS[name][0]} = excluded.${COLUMNS[name][0]}`)}`;

/** What the archived games of one player add up to. */
interface ArchivedSums {
  readonly upTo: number;
  readonly stats: Stats;
  readonly day: Day | null;
}

interface WeekRow extends Omit<WeekSums, 'score'> {
  readonly playerId: string;
  readonly week: string;
}

const READ_STATS = `
  SELECT ${archivedStatsColumns()} FROM archived_stats WHERE player_id BETWEEN $1 AND $2`;

/** The sums of the archived games of the players with ids from `first` to `last`, by player. */
export async function archivedSums(
  transaction: EntityManager,
  { first, last }: { first: string; last: string },
): Promise<Map<string, ArchivedSums>> {
  const rows = await transaction.query<ArchivedStatsRow[]>(READ_STATS, [first, last]);
  return new Map(rows.map((row) => [row.playerId, { upTo: row.upTo, stats: statsIn(row), day: dayIn(row) }]));
}

export function statsIn(row: ArchivedStatsRow): Stats {
  return pickStats({ ...row, score: row.wins - row.losses + row.bonuses });
}

export function dayIn({ verifiedDay, verifiedThatDay }: ArchivedStatsRow): Day | null {
  return verifiedDay === null ? null : { day: verifiedDay, games: verifiedThatDay };
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
