import type { EntityManager } from 'typeorm';
import type { Week } from '../../game/week.js';
import { type PlayerSums, SUMS, type WeekSums } from './sums.js';

/** The types of the columns that have neither a time nor an integer. */
const TYPES: Partial<Record<string, string>> = {
  verifiedDay: 'date',
  playerId: 'uuid',
  week: 'date',
  dayGames: 'integer[]',
};

/** The type of a column. */
export const typeOf = (name: string): string => TYPES[name] ?? (name.endsWith('At') ? 'timestamptz' : 'integer');

/** The name of a column: `hardDraws` is `hard_draws`. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const columns = (names: readonly string[]) => names.map(columnOf).join(', ');

/** The columns for a SELECT, named as in `names`. A date as text has no time zone. */
export function select(names: readonly string[], alias: string): string {
  return names
    .map((name) => `${alias}.${columnOf(name)}${typeOf(name) === 'date' ? '::text' : ''} AS "${name}"`)
    .join(', ');
}

/**
 * A source of rows from a JSON array whose objects have these names.
 * @param of SQL: tables with a `player_id` that have the players whose rows count; all rows by default
 */
function fromJson(json: string, names: readonly string[], of?: string): string {
  const types = names.map((name) => `"${name}" ${typeOf(name)}`).join(', ');
  const selected = names.map((name) => `"${name}" AS ${columnOf(name)}`).join(', ');
  const rows = `(SELECT ${selected} FROM json_to_recordset(${json}) AS given (${types})) AS given`;
  return of ? `${of} JOIN ${rows} USING (player_id)` : rows;
}

/** Sums that a writer has computed from those of the version before. */
export interface NewSums extends PlayerSums {
  readonly playerId: string;
  readonly version: number;
}

/** The sums of a week. Only `archived_weeks` has the number of games of each day. */
export interface NewWeek extends Omit<WeekSums, 'dayGames'>, Partial<Pick<WeekSums, 'dayGames'>> {
  readonly playerId: string;
  readonly week: Week;
}

const WRITTEN = ['playerId', 'version', ...SUMS];

const replaced = (names: readonly string[]) =>
  names.map((name) => `${columnOf(name)} = excluded.${columnOf(name)}`).join(', ');

/**
 * Replaces the sums of players, or creates them, unless another writer was faster: then the version differs, and the player is
 * not among the returned ones. The key finds each row, however few rows the planner expects in the table.
 * @param rows an SQL expression: a JSON array of `NewSums`, in the order of the players, because each row is locked
 * @param of as in `fromJson`
 */
export const writeSums = (rows: string, of?: string): string => `
  INSERT INTO player_stats AS own (${columns(WRITTEN)}) SELECT ${columns(WRITTEN)} FROM ${fromJson(rows, WRITTEN, of)}
  ON CONFLICT (player_id) DO UPDATE SET ${replaced(WRITTEN.slice(1))}
  WHERE own.version = excluded.version - 1
  RETURNING player_id`;

/** Sums of archived games, which go up to a number. */
export interface NewArchivedSums extends PlayerSums {
  readonly playerId: string;
  readonly upTo: number;
}

const ARCHIVED = ['playerId', 'upTo', ...SUMS];
const WRITE_ARCHIVED = `
  INSERT INTO archived_stats (${columns(ARCHIVED)}) SELECT ${columns(ARCHIVED)} FROM ${fromJson('$1', ARCHIVED)}
  ON CONFLICT (player_id) DO UPDATE SET ${replaced(ARCHIVED.slice(1))}`;

/** Replaces the sums of the archived games of players. */
export async function storeArchivedSums(transaction: EntityManager, sums: readonly NewArchivedSums[]): Promise<void> {
  if (sums.length > 0) await transaction.query(WRITE_ARCHIVED, [JSON.stringify(sums)]);
}

type WeekTable = 'player_weeks' | 'archived_weeks';

const WEEK = ['playerId', 'week', 'score', 'wins', 'losses', 'draws', 'reachedAt'];
const WEEK_NAMES = { player_weeks: WEEK, archived_weeks: [...WEEK, 'dayGames'] };
const added = (column: string) => `${column} = own.${column} + excluded.${column}`;
const addedDays = (column: string) =>
  `${column} = ARRAY[${[1, 2, 3, 4, 5, 6, 7].map((day) => `own.${column}[${day}] + excluded.${column}[${day}]`).join(', ')}]`;

/**
 * Adds weeks to those of players, as `addWeeks` does.
 * @param weeks an SQL expression: a JSON array of `NewWeek`
 * @param of as in `fromJson`
 */
export function writeWeeks(table: WeekTable, weeks: string, of?: string): string {
  const names = WEEK_NAMES[table];
  const days = names.filter((name) => name.startsWith('day')).map(columnOf);
  return `
  INSERT INTO ${table} AS own (${columns(names)}) SELECT ${columns(names)} FROM ${fromJson(weeks, names, of)}
  ON CONFLICT (player_id, week) DO UPDATE SET
    ${[...['score', 'wins', 'losses', 'draws'].map(added), ...days.map(addedDays)].join(', ')},
    reached_at = CASE WHEN excluded.wins + excluded.losses > 0 THEN greatest(own.reached_at, excluded.reached_at)
      ELSE own.reached_at END
  RETURNING player_id, week, score`;
}

const WRITE_LOCKED = writeSums('$1');
const WRITE_WEEKS = {
  player_weeks: writeWeeks('player_weeks', '$1'),
  archived_weeks: writeWeeks('archived_weeks', '$1'),
};

/** Writes the sums of a player whose row the transaction has locked. */
export async function storeSums(transaction: EntityManager, sums: NewSums): Promise<void> {
  const written = await transaction.query<unknown[]>(WRITE_LOCKED, [JSON.stringify([sums])]);
  if (written.length === 0) throw new Error(`The sums of the player ${sums.playerId} changed under their lock.`);
}

/** Adds weeks of players whose rows of `player_stats` the transaction has locked, or of archived games. */
export async function storeWeeks(
  transaction: EntityManager,
  table: WeekTable,
  weeks: readonly NewWeek[],
): Promise<void> {
  if (weeks.length > 0) await transaction.query(WRITE_WEEKS[table], [JSON.stringify(weeks)]);
}
