import type { EntityManager } from 'typeorm';
import { type Week, weekOf } from '../../game/week.js';
import { boardsBegin } from '../base/clock.js';
import { deleteOld } from '../database/delete-old.js';
import { columnOf, columnsIn, columnsOf, fromJson } from '../database/entity-columns.js';
import { CountedGame, VoidedGame } from './game.entity.js';
import { PlayerStats, PlayerWeek } from './player-stats.entity.js';
import { noSums, type PlayerSums } from './sums.js';

/** Sums that a writer has computed from those of the version before. */
export type NewSums = PlayerSums & Pick<PlayerStats, 'playerId' | 'version'>;

/** The columns of `PlayerSums`, for statements in SQL. */
export const SUMS = Object.fromEntries(Object.entries(columnsIn(PlayerStats)).filter(([sum]) => sum in noSums));
const STATS = { playerId: 'uuid', version: 'integer', ...SUMS };
const WEEK = columnsIn(PlayerWeek);
const COUNTS = ['score', 'wins', 'losses', 'draws', 'program_games'];

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
 * @param weeks an SQL expression: a JSON array of `PlayerWeek`
 * @param of as in `fromJson`
 */
export const writeWeeks = (weeks: string, of?: string): string => `
  INSERT INTO player_weeks AS own (${columnsOf(WEEK)}) SELECT ${columnsOf(WEEK)} FROM ${fromJson(weeks, WEEK, of)}
  ON CONFLICT (player_id, week) DO UPDATE SET
    ${COUNTS.map(added).join(', ')},
    reached_at = CASE WHEN excluded.wins + excluded.losses > 0 THEN greatest(own.reached_at, excluded.reached_at)
      ELSE own.reached_at END
  RETURNING player_id, week, score`;

/** Writes the sums of a player whose row the transaction has locked. */
export async function storeSums(transaction: EntityManager, sums: NewSums): Promise<void> {
  const written = await transaction.query<unknown[]>(writeSums('$1'), [JSON.stringify([sums])]);
  if (written.length === 0) throw new Error(`The sums of the player ${sums.playerId} changed under their lock.`);
}

/** Adds weeks of players whose rows of `player_stats` the transaction has locked. */
export async function storeWeeks(transaction: EntityManager, weeks: readonly PlayerWeek[]): Promise<void> {
  if (weeks.length > 0) await transaction.query(writeWeeks('$1'), [JSON.stringify(weeks)]);
}

/** Reads and locks the sums of a player that a decision shows. No game of the player counts until the end of the transaction. */
export async function lockStats(transaction: EntityManager, playerId: string) {
  const stats = transaction.getRepository(PlayerStats);
  const locked = await stats.findOne({ where: { playerId }, lock: { mode: 'pessimistic_write' } });
  if (!locked) return undefined;
  const { score, wins, losses, draws } = locked;
  return { score, wins, losses, draws };
}

/** Takes a player off the boards, or brings the player back. */
export async function listPlayer(transaction: EntityManager, playerId: string, listed: boolean): Promise<void> {
  const values = { playerId, reachedAt: () => 'now()', listed };
  await transaction
    .createQueryBuilder()
    .insert()
    .into(PlayerStats)
    .values(values)
    .orUpdate(['listed'], ['player_id'], { skipUpdateIfNoValuesChanged: true })
    .updateEntity(false)
    .execute();
}

/** Removes the sums of a player, in the order of the writer: a game that adds a week holds the row of the stats. */
export async function removeSums(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.getRepository(PlayerStats).delete({ playerId });
  await transaction.getRepository(PlayerWeek).delete({ playerId });
}

/** The oldest week whose board is shown. */
export const oldestWeek = (now: Date): Week => weekOf(boardsBegin(now));

export function removeOldWeeks(manager: EntityManager, now: Date, stopping: AbortSignal): Promise<void> {
  const before = new Date(oldestWeek(now));
  return deleteOld(manager, { table: 'player_weeks', column: 'week', type: 'date', before }, stopping);
}

export async function removeGames(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.getRepository(CountedGame).delete({ playerId });
  await transaction.getRepository(VoidedGame).delete({ playerId });
}
