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
  readonly byProgram: boolean;
}

/** What is stored of a player whose games are about to be counted. */
export interface PlayerFacts {
  readonly sums: PlayerSums;
  readonly version: number;
  readonly voided: number;
  /** Those of the given sessions that are live. */
  readonly sessions: Set<string>;
  /** Those of the given games that were counted in the month, if their ids tell their time. */
  readonly games: Map<string, StoredGame>;
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
  'seed', g.seed, 'moves', g.moves, 'bonus', g.bonus, 'points', g.points, 'finishedAt', g.finished_at,
  'byProgram', g.by_program)`;

/** For a game whose id says nothing about its time: `findStored` searches it. */
const NEVER = 'infinity';

/**
 * One row for each game of a player who exists. Sessions and players are joined here, because another statement would cost
 * every game its time. A joined `games` would be read by the player alone, who can have thousands of games in a month, so
 * the same game is searched for each row, in the partition of the month and from the time of the game's id on. Citus finds
 * the shard by `$1`.
 */
const FACTS = named(
  'facts-of-games',
  `SELECT p.id AS "playerId", ${select(['version', 'voided', ...SUMS], 's')}, e.id AS "sessionId",
     (SELECT ${STORED} FROM games g
      WHERE g.player_id = ANY ($1) AND g.player_id = p.id AND g.id = given.game_id
        AND g.finished_at >= given.since AND g.finished_at >= $5 AND g.finished_at < $6) AS game
   FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $7::timestamptz[]) AS given (player_id, session_id, game_id, since)
   JOIN players p ON p.id = given.player_id
   LEFT JOIN player_stats s ON s.player_id = p.id
   LEFT JOIN sessions e
     ON e.player_id = p.id AND e.id = given.session_id AND e.revoked_at IS NULL AND e.expires_at > $4
   WHERE p.id = ANY ($1)`,
);

/** Null where the player has no sums yet. */
type SumsRow = { readonly [Name in keyof PlayerSums | 'version' | 'voided']: (PlayerSums & PlayerFacts)[Name] | null };

interface FactsRow extends SumsRow {
  readonly playerId: string;
  readonly sessionId: string | null;
  readonly game: StoredAsJson | null;
}

/** The facts about the players of these games, by player. A player who is gone has none. */
export async function readFacts(
  database: Pick<DataSource, 'query'>,
  games: readonly GameToCount[],
  month: Month,
): Promise<Map<string, PlayerFacts>> {
  const rows = await database.query<FactsRow[]>(FACTS, [
    games.map(({ playerId }) => playerId),
    games.map(({ sessionId }) => sessionId),
    games.map(({ id }) => id),
    games[0]!.now,
    month.from,
    month.until,
    games.map(({ idFrom }) => idFrom ?? NEVER),
  ]);
  const players = new Map<string, PlayerFacts>();
  for (const row of rows) {
    const player = players.get(row.playerId) ?? factsIn(row);
    if (row.sessionId !== null) player.sessions.add(row.sessionId);
    if (row.game) player.games.set(row.game.id, storedIn(row.game));
    players.set(row.playerId, player);
  }
  return players;
}

const factsIn = (row: FactsRow): PlayerFacts => ({
  sums: hasSums(row) ? row : noSums,
  version: row.version ?? 0,
  voided: row.voided ?? 0,
  sessions: new Set(),
  games: new Map(),
});

const hasSums = (row: FactsRow): row is FactsRow & PlayerSums => row.version !== null;

interface StoredAsJson extends Omit<StoredGame, 'finishedAt'> {
  readonly finishedAt: string;
}

const storedIn = (game: StoredAsJson): StoredGame => ({ ...game, finishedAt: new Date(game.finishedAt) });

const SAME_GAME = `
  SELECT ${STORED} AS game, false AS voided FROM games g
  WHERE g.player_id = $1 AND g.id = $2 AND ($3::timestamptz IS NULL OR g.finished_at >= $3)
  UNION ALL
  SELECT ${STORED}, true FROM voided_games g WHERE g.player_id = $1 AND g.id = $2
  LIMIT 1`;

export interface FoundGame {
  readonly game: StoredGame;
  readonly voided: boolean;
}

/** Searches a game in every month in which it can be, and among the voided ones. */
export async function findStored(
  database: Pick<DataSource, 'query'>,
  { playerId, id, idFrom }: GameToCount,
): Promise<FoundGame | undefined> {
  const [found] = await database.query<{ game: StoredAsJson; voided: boolean }[]>(SAME_GAME, [playerId, id, idFrom]);
  return found && { ...found, game: storedIn(found.game) };
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
