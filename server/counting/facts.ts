import type { DataSource } from 'typeorm';
import { gamesIn } from '../../game/scoring.js';
import { named } from '../database/pool/named-statements.js';
import { utcDay } from './day.js';
import type { GameToCount } from './game-to-count.js';
import { noSums, type PlayerSums, type Source, SUMS } from './sums.js';
import { select } from './sums-tables.js';

/** A counted or voided game. */
export interface StoredGame {
  readonly id: string;
  readonly source: Source;
  readonly difficulty: string;
  readonly result: string;
  readonly seed: string | null;
  readonly moves: readonly number[] | null;
  readonly bonus: boolean;
  readonly points: number;
  readonly finishedAt: Date;
}

/** What is stored of a player whose games are about to be counted. */
export interface PlayerFacts {
  readonly sums: PlayerSums;
  readonly version: number;
  readonly voided: number;
  /** Those of the given sessions that are live. */
  readonly sessions: ReadonlySet<string>;
  /** Those of the given games that were counted in the month. */
  readonly games: ReadonlyMap<string, StoredGame>;
}

/** The UTC month of a time. */
export interface Month {
  readonly from: Date;
  readonly until: Date;
}

export function monthOf(time: Date): Month {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  return { from: new Date(Date.UTC(year, month)), until: new Date(Date.UTC(year, month + 1)) };
}

/** A game as JSON. */
const STORED = `json_build_object('id', g.id, 'source', g.source, 'difficulty', g.difficulty, 'result', g.result,
  'seed', g.seed, 'moves', g.moves, 'bonus', g.bonus, 'points', g.points, 'finishedAt', g.finished_at)`;

/**
 * One row for each player who exists. Every part is found by the key of its table, and `games` in the partition of the month
 * alone. Sessions and players are joined here, because another statement would cost every game its time. Each part has `$1`,
 * because Citus reads all shards of a table without it.
 */
const FACTS = named(
  'facts-of-games',
  `SELECT p.id AS "playerId", ${select(['version', 'voided', ...SUMS], 's')},
     ARRAY(SELECT e.id FROM sessions e
       WHERE e.player_id = ANY ($1) AND e.player_id = p.id AND e.id = ANY ($2)
         AND e.revoked_at IS NULL AND e.expires_at > $4) AS sessions,
     (SELECT json_agg(${STORED}) FROM games g
       WHERE g.player_id = ANY ($1) AND g.player_id = p.id AND g.id = ANY ($3)
         AND g.finished_at >= $5 AND g.finished_at < $6) AS games
   FROM players p LEFT JOIN player_stats s ON s.player_id = p.id
   WHERE p.id = ANY ($1)`,
);

/** Null where the player has no sums yet. */
type SumsRow = { readonly [Name in keyof PlayerSums | 'version' | 'voided']: (PlayerSums & PlayerFacts)[Name] | null };

interface FactsRow extends SumsRow {
  readonly playerId: string;
  readonly sessions: readonly string[];
  readonly games: readonly (Omit<StoredGame, 'finishedAt'> & { readonly finishedAt: string })[] | null;
}

/** The facts about the players of these games, by player. A player who is gone has none. */
export async function readFacts(
  database: Pick<DataSource, 'query'>,
  games: readonly GameToCount[],
  month: Month,
): Promise<Map<string, PlayerFacts>> {
  const rows = await database.query<FactsRow[]>(FACTS, [
    [...new Set(games.map(({ playerId }) => playerId))],
    games.flatMap(({ sessionId }) => sessionId ?? []),
    games.map(({ id }) => id),
    games[0]!.now,
    month.from,
    month.until,
  ]);
  return new Map(rows.map((row) => [row.playerId, factsIn(row)]));
}

function factsIn(row: FactsRow): PlayerFacts {
  return {
    sums: hasSums(row) ? row : noSums,
    version: row.version ?? 0,
    voided: row.voided ?? 0,
    sessions: new Set(row.sessions),
    games: new Map(row.games?.map((game) => [game.id, { ...game, finishedAt: new Date(game.finishedAt) }])),
  };
}

const hasSums = (row: FactsRow): row is FactsRow & PlayerSums => row.version !== null;

const SAME_GAME = `
  SELECT ${STORED} AS game, false AS voided FROM games g WHERE g.player_id = $1 AND g.id = $2 AND g.finished_at >= coalesce($3, '-infinity'::timestamptz)
  UNION ALL
  SELECT ${STORED}, true FROM voided_games g WHERE g.player_id = $1 AND g.id = $2
  LIMIT 1`;

/** Searches a game in every month in which it can be, and among the voided ones. */
export async function findStored(
  database: Pick<DataSource, 'query'>,
  { playerId, id, idFrom }: GameToCount,
): Promise<{ readonly game: StoredGame; readonly voided: boolean } | undefined> {
  const [found] = await database.query<{ game: StoredGame & { finishedAt: string }; voided: boolean }[]>(SAME_GAME, [
    playerId,
    id,
    idFrom,
  ]);
  return found && { ...found, game: { ...found.game, finishedAt: new Date(found.game.finishedAt) } };
}

/** Whether the same game may be stored where `readFacts` does not look. */
export function mayBeElsewhere({ sums, voided }: PlayerFacts, { idFrom }: GameToCount, month: Month): boolean {
  if (gamesIn(sums) === 0 && voided === 0) return false;
  // The clock of another server may be in the next month.
  return voided > 0 || !idFrom || idFrom < month.from || !sums.lastGameAt || sums.lastGameAt >= month.until;
}

const GAMES_OF_DAY = `
  SELECT count(*)::integer AS games FROM games
  WHERE player_id = $1 AND source = 'verified'
    AND finished_at >= $2::date::timestamp AT TIME ZONE 'UTC' AND finished_at < ($2::date + 1)::timestamp AT TIME ZONE 'UTC'`;

/** How many verified games the player has on the UTC day of `now`. The sums know it unless another server's clock is ahead. */
export async function verifiedGamesOn(
  database: Pick<DataSource, 'query'>,
  playerId: string,
  sums: Pick<PlayerSums, 'verifiedDay' | 'verifiedThatDay'>,
  now: Date,
): Promise<number> {
  const today = utcDay(now);
  if (sums.verifiedDay === today) return sums.verifiedThatDay;
  if (sums.verifiedDay === null || sums.verifiedDay < today) return 0;
  const [row] = await database.query<[{ games: number }]>(GAMES_OF_DAY, [playerId, today]);
  return row.games;
}

const RECENT_GAMES = `
  SELECT count(*)::integer AS games FROM (
    SELECT 1 FROM games WHERE player_id = $1 AND source = $2 AND finished_at > $3 LIMIT $4
  ) AS recent`;

/** How many games of one source were counted after a time, up to a limit. */
export async function gamesSince(
  database: Pick<DataSource, 'query'>,
  { playerId, source, gamesPerMinute }: GameToCount,
  since: Date,
): Promise<number> {
  const [row] = await database.query<[{ games: number }]>(RECENT_GAMES, [playerId, source, since, gamesPerMinute]);
  return row.games;
}
