import type { EntityManager } from 'typeorm';
import type { Week } from '../../game/week.js';
import { type PlayerSums, SUMS, type WeekSums } from './sums.js';

/** The types of the columns that have neither a time nor an integer. */
const TYPES: Partial<Record<string, string>> = {
  verifiedDay: 'date',
  playerId: 'uuid',
  week: 'date',
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

export interface NewWeek extends WeekSums {
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

const WEEK = ['playerId', 'week', 'score', 'wins', 'losses', 'draws', 'reachedAt'];
const added = (column: string) => `${column} = own.${column} + excluded.${column}`;

/**
 * Adds weeks to those of players, as `addToWeeks` does.
 * @param weeks an SQL expression: a JSON array of `NewWeek`
 * @param of as in `fromJson`
 */
export const writeWeeks = (weeks: string, of?: string): string => `
  INSERT INTO player_weeks AS own (${columns(WEEK)}) SELECT ${columns(WEEK)} FROM ${fromJson(weeks, WEEK, of)}
  ON CONFLICT (player_id, week) DO UPDATE SET
    ${['score', 'wins', 'losses', 'draws'].map(added).join(', ')},
    reached_at = CASE WHEN excluded.wins + excluded.losses > 0 THEN greatest(own.reached_at, excluded.reached_at)
      ELSE own.reached_at END
  RETURNING player_id, week, score`;

const WRITE_LOCKED = writeSums('$1');
const WRITE_WEEKS = writeWeeks('$1');

/** Writes the sums of a player whose row the transaction has locked. */
export async function storeSums(transaction: EntityManager, sums: NewSums): Promise<void> {
  const written = await transaction.query<unknown[]>(WRITE_LOCKED, [JSON.stringify([sums])]);
  if (written.length === 0) throw new Error(`The sums of the player ${sums.playerId} changed under their lock.`);
}

/** Adds weeks of players whose rows of `player_stats` the transaction has locked. */
export async function storeWeeks(transaction: EntityManager, weeks: readonly NewWeek[]): Promise<void> {
  if (weeks.length > 0) await transaction.query(WRITE_WEEKS, [JSON.stringify(weeks)]);
}
