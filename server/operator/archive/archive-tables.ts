import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, type EntityManager, In } from 'typeorm';
import { workInSequence } from '../../schema/distribution.js';
import { isLockConflict, isStatementTimeout } from '../../database/errors/sql-state.js';
import { ArchivedStats } from '../../counting/tables/archived-stats.entity.js';
import { PLAYERS_LOCK } from '../../counting/remove-games.js';
import { storeArchivedSums, storeWeeks } from '../../counting/sums-tables.js';
import type { Added, ArchivedGame, ArchivedSums } from './add-to-archive.js';
import { OperationError } from '../command-error.js';

/** How long a step gives way to requests before it gives up, and the longest pause between two tries, in milliseconds. */
const PATIENCE = 10 * 60_000;
const LONGEST_PAUSE = 10_000;

/** A partition of `games`. */
export interface Partition {
  /** `games_2027_01`, or `games_before_2027_01` for all games before that month. */
  readonly name: string;
  /** The first day after it, in UTC, as `2027-02-01`. */
  readonly until: string;
}

const PARTITIONS = `
  SELECT name, until::date::text AS until FROM (
    SELECT relname AS name, to_date(right(relname, 7), 'YYYY_MM')
      + CASE WHEN relname ~ '^games_before_' THEN interval '0' ELSE interval '1 month' END AS until
    FROM pg_inherits JOIN pg_class ON oid = inhrelid
    WHERE inhparent = 'games'::regclass AND relname ~ '^games_(before_)?\\d{4}_\\d\\d$'
  ) AS partitions
  WHERE until <= date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => $1)
  ORDER BY until`;

/** The partitions that end at least that many whole months before this one, the oldest first. */
export function partitionsBefore(database: DataSource, months: number): Promise<Partition[]> {
  return database.query<Partition[]>(PARTITIONS, [months]);
}

/** A time as a text in UTC, to the microsecond, so that texts can be compared. */
const utcText = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The columns of a game as a line of the file has them. */
export const GAME = `
  id, player_id AS "playerId", number, source, difficulty, result, bonus, points, seed, moves, by_program AS "byProgram",
  ${utcText('started_at')} AS "startedAt", ${utcText('finished_at')} AS "finishedAt"`;

/**
 * A transaction that takes strong locks for a moment. It gives way to requests: it waits for a lock for less than
 * `deadlock_timeout`, ends a slow statement, and starts again after a pause, because all games wait behind it meanwhile.
 * @throws {OperationError} when it does not succeed for ten minutes
 */
export async function givingWay<T>(database: DataSource, work: (transaction: EntityManager) => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE;
  for (let pause = 500; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await database.transaction(async (transaction) => {
        await transaction.query(
          `SELECT set_config('lock_timeout', '300ms', true), set_config('statement_timeout', '10s', true)`,
        );
        await workInSequence(transaction);
        return work(transaction);
      });
    } catch (error) {
      if (!isLockConflict(error) && !isStatementTimeout(error)) throw error;
      if (performance.now() > end) {
        throw new OperationError(
          'Another transaction uses the games all the time, such as a backup, or the database is too slow. Run the command again later.',
        );
      }
    }
    await sleep(pause * (0.5 + Math.random() / 2));
  }
}

/** Works while no account can be deleted. */
export function whileNoneIsDeleted<T>(
  database: DataSource,
  work: (transaction: EntityManager) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock($1)', [PLAYERS_LOCK]);
    return work(transaction);
  });
}

/** Those of the players who exist, or whose games belong to another player since a merge. */
export async function existing(transaction: EntityManager, playerIds: readonly string[]): Promise<Set<string>> {
  const players = await transaction.query<{ id: string }[]>('SELECT id FROM players WHERE id = ANY ($1)', [playerIds]);
  const found = new Set(players.map(({ id }) => id));
  const others = playerIds.filter((id) => !found.has(id));
  if (others.length === 0) return found;
  // After the other table: a merge may move a player meanwhile, and only in this direction.
  const merged = await transaction.query<{ id: string }[]>(
    'SELECT merged_id AS id FROM merged_players WHERE merged_id = ANY ($1)',
    [others],
  );
  return new Set([...found, ...merged.map(({ id }) => id)]);
}

/** The sums of the archived games of these players. */
export async function readSums(
  transaction: EntityManager,
  playerIds: readonly string[],
): Promise<Map<string, ArchivedSums>> {
  const rows = await transaction.getRepository(ArchivedStats).findBy({ playerId: In(playerIds) });
  return new Map(rows.map(({ playerId, upTo, ...sums }) => [playerId, { upTo, sums }]));
}

/** Replaces the sums of players, and adds to their weeks. */
export async function writeSums(transaction: EntityManager, added: ReadonlyMap<string, Added>): Promise<void> {
  const stats = [...added].map(([playerId, { upTo, sums }]) => ({ playerId, upTo, ...sums }));
  await storeArchivedSums(transaction, stats);
  const weeks = [...added].flatMap(([playerId, { weeks: ofPlayer }]) =>
    [...ofPlayer].map(([week, sums]) => ({ playerId, week, ...sums })),
  );
  await storeWeeks(transaction, 'archived_weeks', weeks);
}

const GAME_COLUMNS = `
  "id" uuid, "playerId" uuid, number integer, source text, difficulty text, result text, bonus boolean, points smallint,
  seed text, moves smallint[], "startedAt" timestamptz, "finishedAt" timestamptz, "byProgram" boolean`;

/** Adds games as they are to `games`. Those that are there stay as they are. */
export async function insertGames(transaction: EntityManager, games: readonly ArchivedGame[]): Promise<void> {
  if (games.length === 0) return;
  await transaction.query(
    `INSERT INTO games (
       id, player_id, number, source, difficulty, result, bonus, points, seed, moves, started_at, finished_at, by_program
     )
     SELECT id, "playerId", number, source, difficulty, result, bonus, points, seed, moves, "startedAt", "finishedAt",
       coalesce("byProgram", false)
     FROM json_to_recordset($1) AS given (${GAME_COLUMNS})
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(games)],
  );
}
