import type { EntityManager } from 'typeorm';
import { select } from './columns.js';
import { GAME, type Game } from './game.js';
import { recountPlayer } from './recount.js';
import { PlayerStats, PlayerWeek } from './sums-tables.js';

export type GameKey = Pick<Game, 'playerId' | 'id'>;

/** What the audit keeps of a voided game. */
interface VoidedGame {
  readonly number: number;
  readonly difficulty: string;
  readonly result: string;
  readonly points: number;
  readonly finished_at: Date;
}

/**
 * Takes a game out of all sums and recounts the others: a later bonus may go, or come earlier. The game no longer counts when
 * it is sent again.
 * @returns null when the player has no such game
 */
export async function voidGame(transaction: EntityManager, { playerId, id }: GameKey): Promise<VoidedGame | null> {
  const key = [playerId, id];
  const [game] = await transaction.query<VoidedGame[]>(
    'SELECT number, difficulty, result, points, finished_at FROM games WHERE player_id = $1 AND id = $2',
    key,
  );
  if (!game) return null;
  await transaction.query('INSERT INTO voided_games SELECT * FROM games WHERE player_id = $1 AND id = $2', key);
  await transaction.query('DELETE FROM games WHERE player_id = $1 AND id = $2', key);
  await recountPlayer(transaction, playerId);
  return game;
}

/**
 * Brings a voided game back to its place among the others, and recounts them: the sums are those of before.
 * @returns null when the player has no such voided game
 */
export async function unvoidGame(transaction: EntityManager, { playerId, id }: GameKey): Promise<VoidedGame | null> {
  const key = [playerId, id];
  const [voided] = await transaction.query<(VoidedGame & { position: string })[]>(
    `SELECT number, difficulty, result, points, finished_at, finished_at::text AS position FROM voided_games
     WHERE player_id = $1 AND id = $2`,
    key,
  );
  if (!voided) return null;
  const { position, ...game } = voided;
  // Games that were voided since have moved the numbers, so the time says where the game belongs.
  const [{ number }] = await transaction.query<[{ number: number }]>(
    `SELECT coalesce(max(number), 0) + 1 AS number FROM games
     WHERE player_id = $1 AND (finished_at, number) < ($2::timestamptz, $3)`,
    [playerId, position, game.number],
  );
  await transaction.query('UPDATE games SET number = number + 1 WHERE player_id = $1 AND number >= $2', [
    playerId,
    number,
  ]);
  await transaction.query('UPDATE voided_games SET number = $3 WHERE player_id = $1 AND id = $2', [...key, number]);
  await transaction.query('INSERT INTO games SELECT * FROM voided_games WHERE player_id = $1 AND id = $2', key);
  await transaction.query('DELETE FROM voided_games WHERE player_id = $1 AND id = $2', key);
  await recountPlayer(transaction, playerId);
  return game;
}

/** The voided games of a player, the newest first: all, or so many. */
export function voidedGamesOf(manager: EntityManager, playerId: string, limit: number | null): Promise<Game[]> {
  return manager.query<Game[]>(
    `SELECT ${select(GAME, 'g')} FROM voided_games g WHERE player_id = $1 ORDER BY finished_at DESC, number DESC LIMIT $2`,
    [playerId, limit],
  );
}

/** Reads and locks the sums of a player that a decision shows. No game of the player counts until the end of the transaction. */
export async function lockStats(
  transaction: EntityManager,
  playerId: string,
): Promise<{ score: number; wins: number; losses: number; draws: number } | undefined> {
  const [stats] = await transaction.query<{ score: number; wins: number; losses: number; draws: number }[]>(
    'SELECT score, wins, losses, draws FROM player_stats WHERE player_id = $1 FOR UPDATE',
    [playerId],
  );
  return stats;
}

/** Takes a player off the boards, or brings the player back. */
export async function listPlayer(transaction: EntityManager, playerId: string, listed: boolean): Promise<void> {
  await transaction.query(
    `INSERT INTO player_stats AS own (player_id, reached_at, listed) VALUES ($1, now(), $2)
     ON CONFLICT (player_id) DO UPDATE SET listed = excluded.listed WHERE own.listed <> excluded.listed`,
    [playerId, listed],
  );
}

export async function removeSums(transaction: EntityManager, playerId: string): Promise<void> {
  // In the order of the writer: a game that adds a week holds the row of the stats.
  await transaction.getRepository(PlayerStats).delete({ playerId });
  await transaction.getRepository(PlayerWeek).delete({ playerId });
}

export async function removeGames(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.query('DELETE FROM games WHERE player_id = $1', [playerId]);
  await transaction.query('DELETE FROM voided_games WHERE player_id = $1', [playerId]);
}
