import { type ColumnType, type EntityManager, EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import type { Week } from '../../game/week.js';
import { columnOf, type Columns, columnsOf, fromJson } from './columns.js';
import { noSums, type PlayerSums, type WeekSums } from './sums.js';

const typeOf = (sum: string) => (sum === 'verifiedDay' ? 'date' : sum.endsWith('At') ? 'timestamptz' : 'integer');

/** The columns of `PlayerSums`, for all statements. */
export const SUMS: Columns = Object.fromEntries(Object.keys(noSums).map((sum) => [sum, typeOf(sum)]));

/** Sums that a writer has computed from those of the version before. */
export interface NewSums extends PlayerSums {
  readonly playerId: string;
  /** How often the sums were written: a writer replaces only the sums that it has read. */
  readonly version: number;
}

export interface NewWeek extends WeekSums {
  readonly playerId: string;
  readonly week: Week;
}

/** The sums of one player's games. A stored player has a game, and so a time at which the score was reached. */
interface PlayerStats extends NewSums {
  readonly reachedAt: Date;
  /** Whether the player is on the boards. False for a hidden or banned player. */
  readonly listed: boolean;
}

const STATS = { playerId: 'uuid', version: 'integer', ...SUMS };
const COUNTS = ['score', 'wins', 'losses', 'draws'];
const WEEK = {
  playerId: 'uuid',
  week: 'date',
  ...Object.fromEntries(COUNTS.map((count) => [count, 'integer'])),
  reachedAt: 'timestamptz',
};

export const PlayerStats = entityOf<PlayerStats>('PlayerStats', 'player_stats', ['playerId'], {
  ...STATS,
  listed: 'boolean',
});
export const PlayerWeek = entityOf<NewWeek>('PlayerWeek', 'player_weeks', ['playerId', 'week'], WEEK);

function entityOf<Row>(name: string, tableName: string, key: readonly string[], columns: Columns): EntitySchema<Row> {
  const described = Object.entries(columns).map(([field, type]): [string, EntitySchemaColumnOptions] => {
    return [field, { type: type as ColumnType, name: columnOf(field), primary: key.includes(field) }];
  });
  const all = Object.fromEntries(described) as Record<keyof Row, EntitySchemaColumnOptions>;
  return new EntitySchema<Row>({ name, tableName, columns: all });
}

const REPLACED = ['version', ...Object.keys(SUMS)].map((sum) => `${columnOf(sum)} = excluded.${columnOf(sum)}`);

/**
 * Replaces the sums of players, or creates them, unless another writer was faster: then the version differs, and the player is
 * not among the returned ones. The key finds each row, however few rows the planner expects in the table.
 * @param rows an SQL expression: a JSON array of `NewSums`, in the order of the players, because each row is locked
 * @param of as in `fromJson`
 */
export const writeSums = (rows: string, of?: string): string => `
  INSERT INTO player_stats AS own (${columnsOf(STATS)}) SELECT ${columnsOf(STATS)} FROM ${fromJson(rows, STATS, of)}
  ON CONFLICT (player_id) DO UPDATE SET ${REPLACED.join(', ')}
  WHERE own.version = excluded.version - 1
  RETURNING player_id`;

const added = (column: string) => `${column} = own.${column} + excluded.${column}`;

/**
 * Adds weeks to those of players, as `addToWeeks` does.
 * @param weeks an SQL expression: a JSON array of `NewWeek`
 * @param of as in `fromJson`
 */
export const writeWeeks = (weeks: string, of?: string): string => `
  INSERT INTO player_weeks AS own (${columnsOf(WEEK)}) SELECT ${columnsOf(WEEK)} FROM ${fromJson(weeks, WEEK, of)}
  ON CONFLICT (player_id, week) DO UPDATE SET
    ${COUNTS.map(added).join(', ')},
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
