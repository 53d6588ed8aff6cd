import type { DataSource } from 'typeorm';
import { named } from '../database/statements.js';
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
  /** Whether an operator has taken it out of the sums. */
  readonly voided: boolean;
}

/** What is stored of a player whose games are about to be counted. */
export interface PlayerFacts {
  readonly sums: PlayerSums;
  readonly version: number;
  /** Those of the given sessions that are live. */
  readonly sessions: Set<string>;
  /** Those of the given games that were counted before. */
  readonly games: Map<string, StoredGame>;
}

/** The game of a row as JSON. */
const stored = (table: 'games' | 'voided_games') => `(
  SELECT json_build_object('id', g.id, 'source', g.source, 'difficulty', g.difficulty, 'result', g.result, 'seed', g.seed,
    'moves', g.moves, 'bonus', g.bonus, 'points', g.points, 'finishedAt', g.finished_at, 'byProgram', g.by_program,
    'voided', ${table === 'voided_games'})
  FROM ${table} g WHERE g.player_id = ANY ($1) AND g.player_id = p.id AND g.id = given.game_id)`;

/**
 * One row for each game of a player who exists. Sessions and players are joined here, because another statement would cost
 * every game its time. A joined `games` would be read by the player alone, who can have thousands of games, so the same game
 * is searched for each row, by the key. Citus finds the shard by `$1`.
 */
const FACTS = named(
  'facts-of-games',
  `SELECT p.id AS "playerId", ${select(['version', ...SUMS], 's')}, e.id AS "sessionId",
     coalesce(${stored('games')}, ${stored('voided_games')}) AS game
   FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS given (player_id, session_id, game_id)
   JOIN players p ON p.id = given.player_id
   LEFT JOIN player_stats s ON s.player_id = p.id
   LEFT JOIN sessions e
     ON e.player_id = p.id AND e.id = given.session_id AND e.revoked_at IS NULL AND e.expires_at > $4
   WHERE p.id = ANY ($1)`,
);

/** Null where the player has no sums yet. */
type SumsRow = { readonly [Name in keyof PlayerSums | 'version']: (PlayerSums & PlayerFacts)[Name] | null };

interface FactsRow extends SumsRow {
  readonly playerId: string;
  readonly sessionId: string | null;
  readonly game: StoredAsJson | null;
}

/** The facts about the players of these games, by player. A player who is gone has none. */
export async function readFacts(
  database: Pick<DataSource, 'query'>,
  games: readonly GameToCount[],
): Promise<Map<string, PlayerFacts>> {
  const rows = await database.query<FactsRow[]>(FACTS, [
    games.map(({ playerId }) => playerId),
    games.map(({ sessionId }) => sessionId),
    games.map(({ id }) => id),
    games[0]!.now,
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
  sessions: new Set(),
  games: new Map(),
});

const hasSums = (row: FactsRow): row is FactsRow & PlayerSums => row.version !== null;

interface StoredAsJson extends Omit<StoredGame, 'finishedAt'> {
  readonly finishedAt: string;
}

const storedIn = (game: StoredAsJson): StoredGame => ({ ...game, finishedAt: new Date(game.finishedAt) });

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
