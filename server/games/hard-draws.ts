import { type ArchivedStatsRow, archivedStatsColumns } from '../counting/archived-stats.js';

/** A player's draws at hard, up to a game. */
export interface HardDraws {
  /** How many games of the player were void then: a further one changes the numbers of games. */
  readonly voided: number;
  /** The number of the last game that is included. */
  readonly upTo: number;
  /** When the last of them was finished. */
  readonly until: Date | string | null;
  readonly draws: number;
  /** The draws since the last loss at hard. */
  readonly inARow: number;
  /** The most draws without a loss at hard between them. */
  readonly best: number;
}

const OF_ARCHIVED = ['upTo', 'lastAt', 'hardDraws', 'hardDrawsInARow', 'bestHardDraws'] as const;

/** What the next games of the player add. A run is the draws between two losses at hard. */
export interface HardDrawsPage {
  /** What the archived games add up to; null where none are archived. */
  readonly archived: Pick<ArchivedStatsRow, (typeof OF_ARCHIVED)[number]> | null;
  /** How many games of any difficulty the page has. */
  readonly games: number;
  readonly voided: number;
  /** The number of the last of them; null in an empty page. */
  readonly upTo: number | null;
  /** When the last of them was finished; null in an empty page. */
  readonly until: Date | null;
  readonly draws: number;
  /** Losses at hard. */
  readonly losses: number;
  /** The run before the first loss. */
  readonly firstRun: number;
  /** The longest run. */
  readonly bestRun: number;
  /** The run after the last loss. */
  readonly lastRun: number;
}

export const NO_HARD_DRAWS: HardDraws = { voided: 0, upTo: 0, until: null, draws: 0, inARow: 0, best: 0 };

/**
 * $1 is the player, $2 the number of the last known game, $3 the size of the page, $4 when the last known game was finished.
 * The index begins with player and time. The hour is for servers whose clocks differ: a later game may have an earlier time.
 */
export const NEXT_HARD_DRAWS = `
  WITH page AS MATERIALIZED (
    SELECT number, difficulty, result, finished_at FROM games
    WHERE player_id = $1 AND number > $2 AND finished_at >= coalesce($4::timestamptz - interval '1 hour', '-infinity')
    ORDER BY number LIMIT $3
  ), runs AS (
    SELECT losses, count(*) FILTER (WHERE result = 'draw') AS draws
    FROM (
      SELECT result, count(*) FILTER (WHERE result = 'lose') OVER (ORDER BY number) AS losses
      FROM page WHERE difficulty = 'hard'
    ) AS hard
    GROUP BY losses
  )
  SELECT (SELECT count(*) FROM page)::integer AS games,
    (SELECT count(*) FROM voided_games WHERE player_id = $1)::integer AS voided,
    (SELECT to_json(archived) FROM (
       SELECT ${archivedStatsColumns({ names: OF_ARCHIVED })} FROM archived_stats WHERE player_id = $1) AS archived) AS archived,
    (SELECT max(number) FROM page) AS "upTo",
    (SELECT max(finished_at) FROM page) AS until,
    coalesce(sum(draws), 0)::integer AS draws,
    coalesce(max(losses), 0)::integer AS losses,
    coalesce(max(draws) FILTER (WHERE losses = 0), 0)::integer AS "firstRun",
    coalesce(max(draws), 0)::integer AS "bestRun",
    coalesce((array_agg(draws ORDER BY losses DESC))[1], 0)::integer AS "lastRun"
  FROM runs`;

/** The draws of the archived games. */
export function archivedDraws({ archived, voided }: HardDrawsPage): HardDraws | null {
  if (!archived) return null;
  const { upTo, lastAt, hardDraws, hardDrawsInARow, bestHardDraws } = archived;
  return { voided, upTo, until: lastAt, draws: hardDraws, inARow: hardDrawsInARow, best: bestHardDraws };
}

export function addPage(before: HardDraws, page: HardDrawsPage): HardDraws {
  const continued = before.inARow + page.firstRun;
  return {
    voided: page.voided,
    upTo: page.upTo ?? before.upTo,
    until: page.until ?? before.until,
    draws: before.draws + page.draws,
    inARow: page.losses > 0 ? page.lastRun : continued,
    best: Math.max(before.best, continued, page.bestRun),
  };
}

/** Adds the draws of a merged player. Only own games continue the current run. */
export function addMerged(own: HardDraws, merged: HardDraws): HardDraws {
  return { ...own, draws: own.draws + merged.draws, best: Math.max(own.best, merged.best) };
}
