import pg from 'pg';
import { type DataSource, QueryFailedError } from 'typeorm';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import type { Stats } from '../../game/scoring.js';
import { named } from '../database/pool/named-statements.js';

/**
 * The arguments of the SQL functions `record_game` and `record_games`, and the UTC day for which the answer tells the number of
 * games if they have a limit.
 */
export interface RecordArguments {
  readonly sessionId: string;
  readonly playerId: string;
  readonly id: string;
  readonly source: 'verified' | 'reported';
  readonly difficulty: Difficulty;
  readonly result: Result;
  readonly seed?: string;
  readonly moves?: readonly number[];
  readonly startedAt?: Date;
  /** No game before this time has the same id. Without it, all games of the player are searched. */
  readonly idFrom?: Date;
  readonly now: Date;
  readonly gamesPerMinute: number;
  readonly gamesPerDay: number;
  readonly day: string;
}

export interface RecordedRow extends Stats {
  status: 'counted' | 'repeated' | 'differs' | 'too_many' | 'too_many_today' | 'signed_out';
  finishedAt: Date;
  bonus: boolean;
  points: number;
  gamesToday: number;
  /** Null where the game does not count for a week. */
  weekScore: number | null;
}

const COLUMNS = `
  status, (game).finished_at AS "finishedAt", (game).bonus, (game).points,
  (stats).score, (stats).win_streak AS "winStreak", (stats).wins, (stats).losses, (stats).draws,
  (stats).easy_wins AS "easyWins", (stats).medium_wins AS "mediumWins", (stats).hard_wins AS "hardWins", week_score AS "weekScore"`;

/** Without a limit nobody asks for it, and for a player without a verified game the function would search in `games`. */
const GAMES_TODAY = `CASE WHEN $12 > 0 THEN verified_games_on(stats, $13) ELSE 0 END AS "gamesToday"`;

/** The condition makes sure that the lock limit is set first. A batch of one game would take longer to plan. */
const ALONE = named(
  'record-game',
  `
  SELECT ${COLUMNS}, ${GAMES_TODAY}
  FROM set_config('lock_timeout', $14, true) AS lock_limit
  CROSS JOIN LATERAL record_game(
    CASE WHEN lock_limit IS NOT NULL THEN $1::uuid END, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $15)`,
);

/**
 * A distributed database passes this statement to the server with the player's rows, if it has nothing else after FROM. Its
 * function record_game sets the lock limit itself.
 */
const DELEGATED = `
  SELECT ${COLUMNS}, ${GAMES_TODAY}
  FROM record_game($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $14)`;

/** The lock limit holds until the end of the statement. The argument refers to it, so it is set before the first game. */
const TOGETHER = named(
  'record-games',
  `
  SELECT place, status, finished_at AS "finishedAt", bonus, points, score, win_streak AS "winStreak", wins, losses, draws,
    easy_wins AS "easyWins", medium_wins AS "mediumWins", hard_wins AS "hardWins", week_score AS "weekScore",
    games_today AS "gamesToday"
  FROM set_config('lock_timeout', $2, true) AS lock_limit
  CROSS JOIN LATERAL record_games(CASE WHEN lock_limit IS NOT NULL THEN $1::json END)`,
);

/**
 * Records all games in one transaction, or none, and waits up to `lockLimit` milliseconds for each lock.
 * @returns the rows in the order of the games
 */
export async function recordGames(
  database: DataSource,
  games: readonly RecordArguments[],
  lockLimit: number,
): Promise<RecordedRow[]> {
  const [game] = games;
  if (game && games.length === 1) {
    return database.query<RecordedRow[]>(ALONE, [...valuesOf(game), String(lockLimit), game.idFrom]);
  }
  const values = [JSON.stringify(games), String(lockLimit)];
  const rows = await database.query<(RecordedRow & { place: string })[]>(TOGETHER, values);
  return rows.sort((one, other) => Number(one.place) - Number(other.place));
}

/** Records the game in one transaction on one server of a distributed database. */
export async function recordGameOnShard(database: DataSource, game: RecordArguments): Promise<RecordedRow> {
  const [row] = await database.query<[RecordedRow]>(DELEGATED, [...valuesOf(game), game.idFrom]);
  return row;
}

function valuesOf(game: RecordArguments): unknown[] {
  return [
    game.sessionId,
    game.playerId,
    game.id,
    game.source,
    game.difficulty,
    game.result,
    game.seed,
    game.moves,
    game.startedAt,
    game.now,
    game.gamesPerMinute,
    game.gamesPerDay,
    game.day,
  ];
}

/** Codes that say nothing about one game: a lost connection, a read-only, full or stopping server, a time limit. */
const OF_THE_DATABASE = /^(08|25|53|57)/;

/** Whether PostgreSQL refused the statement because of one of its games. */
export function isOfOneGame(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && !OF_THE_DATABASE.test(code);
}

function codeOf(error: unknown): string | undefined {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : undefined;
  return cause instanceof pg.DatabaseError ? cause.code : undefined;
}
